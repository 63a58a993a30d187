import { randomBytes, randomInt, randomUUID } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits, uniformly distributed. */
export const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

export type IdPrefix = 'pdt' | 'cks' | 'pay' | 'ref' | 'cus' | 'evt' | 'whk' | 'brnd' | 'reg' | 'ovr';

/** The world outside of the domain, replaceable in tests: time and chance. */
export const world = {
  now: (): Date => new Date(),
  newId: (prefix: IdPrefix): string => `${prefix}_${randomText(21)}`,
  newUuid: (): string => randomUUID(),
  randomBytes: (length: number): Buffer => randomBytes(length),
  random: (): number => Math.random(),
};
