import * as z from 'zod';
import { refuse } from '../errors.ts';
import * as sentences from '../rules/rule-sentences.ts';
import { brokenRule } from '../rules/rules.ts';

/** The largest amount that the API allows, in minor units, because its clients store amounts in 32 bits. */
export const maxAmount = 2_147_483_647;

/** An integer of minor units, 0 to 2,147,483,647. */
export const Amount = z.int().min(0).max(maxAmount);

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const clamp = (value: number, low: number, high: number): number => Math.min(Math.max(value, low), high);

/** Refuses an amount that the API cannot express, before anything is written. */
export function assertAmount(amount: number, path: string): void {
  if (Number.isSafeInteger(amount) && amount >= 0 && amount <= maxAmount) return;
  throw refuse('INTEGER_CONVERSION_FAILURE', path, brokenRule(sentences.amount_size, { path, most: maxAmount }));
}
