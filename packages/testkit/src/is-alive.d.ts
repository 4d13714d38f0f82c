/** Whether a process runs: one that has ended, and only waits for its parent to notice, does not. */
export declare function isAlive(pid: number): boolean;
