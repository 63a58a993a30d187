import { globSync, readFileSync } from 'node:fs';

type Section = Readonly<Record<string, string>>;

/** What the files of texts hold, by their path below `shared/texts`: `buyers/de.json`. */
export type TextFiles = Readonly<Record<string, Readonly<Record<string, Section>>>>;

const folder = new URL('../../shared/texts/', import.meta.url);

export const textFiles: TextFiles = Object.fromEntries(
  globSync('**/*.json', { cwd: folder })
    .sort()
    .map((path) => [path, JSON.parse(readFileSync(new URL(path, folder), 'utf8'))]),
);

const placeholdersOf = (text = ''): string => (text.match(/\{\w+\}/g) ?? []).sort().join(' ');

function faultOf(key: string, english: string | undefined, text: string | undefined): string | undefined {
  if (text === undefined) return `lacks "${key}": ${english}`;
  if (english === undefined) return `has "${key}", which English does not have`;
  if (text.trim() !== text || text === '') return `has white space around "${key}", or no text`;
  const [expected, found] = [placeholdersOf(english), placeholdersOf(text)];
  return expected === found ? undefined : `has other placeholders in "${key}": "${found}" instead of "${expected}"`;
}

const keysOf = (...tables: object[]): string[] => [...new Set(tables.flatMap(Object.keys))];

/** What a translator still has to do: one sentence for each text of a face, by its file and section. */
export function translationFaults(files: TextFiles, face: string, languages: readonly string[]): string[] {
  const english = files[`${face}/en.json`] ?? {};
  return languages.flatMap((language) => {
    const path = `${face}/${language}.json`;
    const translated = files[path] ?? {};
    return keysOf(english, translated).flatMap((section) => {
      const [from, to] = [english[section] ?? {}, translated[section] ?? {}];
      const faults = keysOf(from, to).map((key) => faultOf(key, from[key], to[key]));
      return faults.filter((fault) => fault !== undefined).map((fault) => `${path}, ${section}: ${fault}`);
    });
  });
}
