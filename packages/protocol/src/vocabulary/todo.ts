import * as z from "zod";

export const TodoStatus = z.enum(["pending", "in_progress", "completed"]);
export type TodoStatus = z.infer<typeof TodoStatus>;

/** A task that an agent has noted for itself. */
export const Todo = z.object({ id: z.string(), text: z.string(), status: TodoStatus });
export type Todo = z.infer<typeof Todo>;
