import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Kept<Result> {
  result: Result;
  /** The hash of each file that the result depends on. */
  hashes: Record<string, string>;
}

export interface KeptResults<Result> {
  /** Returns the result of this or an earlier run if all files that it depends on are the same. */
  find: (name: string) => Result | undefined;
  /** Keeps a result that depends on the files of the basis and on these sources. */
  keep: (name: string, result: Result, sources?: readonly string[]) => Result;
}

/**
 * The results of work that computes the same from the same files. All workers and later runs share them. Nothing is kept
 * if a file of the basis has changed since this call, because the work may have loaded it before.
 */
export function keptResults<Result>(folder: string, basis: readonly string[]): KeptResults<Result> {
  const hashesOf = (files: readonly string[]) => Object.fromEntries(files.map((file) => [file, contentHash(file)]));
  const loaded = hashesOf(basis);
  const hashes = new Map(Object.entries(loaded));
  const hashOf = (file: string): string => {
    const hash = hashes.get(file) ?? contentHash(file);
    hashes.set(file, hash);
    return hash;
  };
  const placeOf = (name: string): string => join(folder, `${name}.json`);
  const isCurrent = ({ hashes: then }: Kept<Result>): boolean =>
    basis.every((file) => file in then) && Object.entries(then).every(([file, hash]) => hashOf(file) === hash);
  return {
    find: (name) => {
      const kept = read<Kept<Result>>(placeOf(name));
      return kept && isCurrent(kept) ? kept.result : undefined;
    },
    keep: (name, result, sources = []) => {
      const isUnchanged = basis.every((file) => contentHash(file) === loaded[file]);
      if (isUnchanged) write(placeOf(name), { result, hashes: { ...loaded, ...hashesOf(sources) } });
      return result;
    },
  };
}

const contentHash = (file: string): string =>
  existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('base64') : 'absent';

const read = <Content>(file: string): Content | undefined =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/** Replaces the whole file, so several processes may write it at the same time. */
function write(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.${randomUUID()}`;
  writeFileSync(unfinished, JSON.stringify(content));
  renameSync(unfinished, file);
}
