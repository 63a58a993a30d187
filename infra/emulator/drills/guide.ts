import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../command.ts';

/** A section of a guide, with its heading and its command lines. */
export interface GuideSection {
  /** The heading, such as `7. Sell`. */
  heading: string;
  lines: string[];
}

/** The commands and the file of a guide. */
export interface Guide {
  sections: GuideSection[];
  /** The content of the file that the reader must save. */
  file: unknown;
}

/** Reads the commands of docs/first-live-day.md in their order, and the merchant's file in it. */
export function firstLiveDay(page: string = readFileSync(join(root, 'docs/first-live-day.md'), 'utf8')): Guide {
  const [, ...parts] = page.split(/^## /m);
  const sections = parts.map((part) => ({
    heading: part.split('\n')[0] ?? '',
    lines: [...part.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.trim().split('\n')),
  }));
  const [, json] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  if (sections.length === 0 || json === undefined)
    throw new Error('docs/first-live-day.md has no commands or no file.');
  return { sections, file: JSON.parse(json) };
}
