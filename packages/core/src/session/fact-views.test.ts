import type { StoredFact } from "@harness/protocol";
import { factViewContract } from "@harness/testkit";
import { NoteQueue } from "../context/conversation/note-queue.ts";
import { Projection } from "../context/conversation/projection.ts";
import { FileHistory } from "../context/files/file-history.ts";
import { OpenWorkLedger } from "../journal/open-work-ledger.ts";
import { PromptHistory } from "../journal/prompt-history.ts";

factViewContract({
  name: "the messages for the model",
  open() {
    const facts: StoredFact[] = [];
    const view = new Projection((before) => facts.filter(({ seq }) => seq < before));
    return {
      view: {
        see(fact: StoredFact) {
          view.see(fact);
          facts.push(fact);
        },
      },
      kept() {
        const { messages, today, chars, compaction, prompts, promptIndexes, compactedCount, unanswered } = view;
        const seqs = messages.map((_message, index) => view.seqAt(index));
        return { messages, seqs, today, chars, compaction, prompts, promptIndexes, compactedCount, unanswered };
      },
    };
  },
});

factViewContract({
  name: "notes about what happened beside the calls",
  open() {
    const view = new NoteQueue();
    return { view, kept: () => ({ due: view.due, hasProcess: view.hasProcess }) };
  },
});

factViewContract({
  name: "the files that an agent has seen",
  open() {
    const view = new FileHistory();
    return {
      view,
      kept: () => ({ changes: view.changes, inPlay: view.inPlay(99), unannounced: view.unannounced(99) }),
    };
  },
});

factViewContract({
  name: "the open work of a session",
  open() {
    const view = new OpenWorkLedger();
    const kept = () => ({
      calls: ["main", "a1"].map((agentId) => view.callsOf(agentId)),
      closing: view.closing(),
      lostProcesses: view.lostProcesses(),
      answeredReview: view.answeredReview,
    });
    return { view, kept };
  },
});

factViewContract({
  name: "the prompts of a session",
  open() {
    const view = new PromptHistory();
    const kept = () => ["prompt1", "q", "prompt3"].map((id) => [view.has(id), view.isTaken(id), view.find(id, [])]);
    return { view, kept };
  },
});
