import type { RegisterCheck, RegisterName } from './buyer.ts';

/** A register's answer, without the register's name and the time. */
export type RegisterAnswer = Omit<RegisterCheck, 'register' | 'at'>;

/** An official register of tax ids, or the sandbox's imitation of one. */
export interface TaxIdRegister {
  name: RegisterName;
  /**
   * Asks about an id in the form that its register uses, such as `DE136695976`. `none` means that there is no verdict,
   * so the id may be right.
   * @param signal aborts the query
   */
  confirm(id: string, country: string, signal: AbortSignal): Promise<RegisterAnswer>;
}
