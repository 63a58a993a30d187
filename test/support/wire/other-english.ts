import * as sentences from '../../../shared/domain/rules/rule-sentences.ts';
import type { Sentence } from '../../../shared/domain/rules/rules.ts';

/** What stands in every sentence of the API after `changeEnglish`. */
export const mark = '⁂';
const table: Readonly<Record<string, Sentence>> = { ...sentences };
const original = structuredClone(table);

/** Changes the English of every rule where the schemas and use cases read it. */
export function changeEnglish(): void {
  for (const [rule, sentence] of Object.entries(table)) Object.assign(sentence, { [rule]: `${mark} another sentence` });
}

export function restoreEnglish(): void {
  for (const [rule, sentence] of Object.entries(table)) Object.assign(sentence, original[rule]);
}
