import type { Clock, Egress } from "@harness/core";
import type { VectorStore } from "../embed/vector-collection.ts";
import type { IndexStore } from "./index-store.ts";
import { StoreError } from "./store-error.ts";

/** An index in a store elsewhere, for the processes that write and search it. `name`: of the index. */
export type RemoteStore = {
  address: string;
  name: string;
  /** The key or the password, which the address does not contain. */
  secret: string | undefined;
  localOnly: boolean;
};

type RemoteOptions = Omit<RemoteStore, "localOnly"> & { clock: Clock; egress: Egress };

/** A store that also can delete its index. */
type RemovableStore = IndexStore & VectorStore & { remove(): Promise<void> };

type RemoteStoreRow = {
  /** Its name for people. */
  title: string;
  takes: RegExp;
  /** The variable of the environment with its key or password. */
  variable: string;
  open(options: RemoteOptions): Promise<RemovableStore>;
};

/** The default of the setting `index_store`. */
export const EMBEDDED = "embedded";

const rows: readonly RemoteStoreRow[] = [
  {
    title: "PostgreSQL",
    takes: /^postgres(ql)?:\/\//i,
    variable: "PGPASSWORD",
    async open({ address, secret, ...options }) {
      const { PgvectorStore } = await import("./pgvector/pgvector-store.ts");
      return PgvectorStore.open({ url: address, password: secret, ...options });
    },
  },
  {
    title: "Qdrant",
    takes: /^https?:\/\//i,
    variable: "QDRANT_API_KEY",
    async open({ address, secret, ...options }) {
      const { QdrantStore } = await import("./qdrant/qdrant-store.ts");
      return QdrantStore.open({ url: address, apiKey: secret, ...options });
    },
  },
];

/** The store that an address belongs to. Throws a `StoreError`. */
export function remoteStoreRow(address: string): RemoteStoreRow {
  const row = rows.find(({ takes }) => takes.test(address));
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!row || !url || url.hostname === "") {
    const examples = "`embedded`, postgres://user@localhost:5432/harness, http://localhost:6333";
    throw new StoreError(
      `The setting \`index_store\` is not an address of PostgreSQL or Qdrant. Examples: ${examples}.`,
    );
  }
  if (url.password !== "") {
    const advice = `Settings are shown to everyone who looks at them: remove it there, and set the variable ${row.variable}.`;
    throw new StoreError(`The address in the setting \`index_store\` contains a password. ${advice}`);
  }
  return row;
}
