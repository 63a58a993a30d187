import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Groups facts by key on this machine's disk, because the table may be larger than memory. */
interface Spill<Fact> {
  add(key: string, fact: Fact): void;
  /** Every key with its facts. Only one file is in memory at the same time. */
  groups(): Generator<[key: string, facts: Fact[]]>;
  remove(): void;
}

const files = 512;
/** The most facts of a file that wait in memory until they are written. */
const mostWaiting = 32 * 1024;

function fileOf(key: string): number {
  let hash = 0;
  for (let at = 0; at < key.length; at += 1) hash = (hash * 31 + key.charCodeAt(at)) % 2_147_483_647;
  return hash % files;
}

export function openSpill<Fact>(): Spill<Fact> {
  let folder: string | undefined;
  const waiting: string[] = Array.from({ length: files }, () => '');
  const written = new Set<number>();
  const path = (file: number) => join(folder ?? '', `${file}.jsonl`);
  const flush = (file: number) => {
    folder ??= mkdtempSync(join(tmpdir(), 'books-'));
    appendFileSync(path(file), waiting[file] ?? '');
    waiting[file] = '';
    written.add(file);
  };
  return {
    add: (key, fact) => {
      const file = fileOf(key);
      waiting[file] += `${JSON.stringify([key, fact])}\n`;
      if ((waiting[file]?.length ?? 0) > mostWaiting) flush(file);
    },
    *groups() {
      for (let file = 0; file < files; file += 1) {
        const before = written.has(file) ? readFileSync(path(file), 'utf8') : '';
        const text = before + (waiting[file] ?? '');
        if (text !== '') yield* groupsIn<Fact>(text);
      }
    },
    remove: () => {
      if (folder !== undefined) rmSync(folder, { recursive: true });
    },
  };
}

function groupsIn<Fact>(text: string): Map<string, Fact[]> {
  const groups = new Map<string, Fact[]>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [key, fact] = JSON.parse(line) as [string, Fact];
    const known = groups.get(key);
    if (known) known.push(fact);
    else groups.set(key, [fact]);
  }
  return groups;
}
