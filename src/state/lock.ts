/** Who holds a lock, for messages and for telling whether it is still alive. */
export interface LockHolder {
  /** Made at random for each locking: no two are ever alike. */
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  /** When the process began, as the system counts; null where it does not tell. A pid alone may be somebody else's by now. */
  readonly began: string | null;
  readonly since: string;
  readonly command: string;
  readonly user: string;
}

export interface Lock {
  readonly holder: LockHolder;
  /** False once the lock was taken away: then nothing more may be sent. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/** "apply by ana on laptop (process 4711) since 2027-03-01T09:00:00.000Z" */
export function holderWords(holder: LockHolder): string {
  return `${holder.command} by ${holder.user} on ${holder.host} (process ${holder.pid}) since ${holder.since}`;
}
