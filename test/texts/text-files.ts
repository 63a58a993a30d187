import { globSync, readFileSync } from 'node:fs';

/** What the files of texts hold, by their path below `shared/texts`: `checkout/de.json`. */
export type TextFiles = Readonly<Record<string, Readonly<Record<string, string>>>>;

const folder = new URL('../../shared/texts/', import.meta.url);

export const textFiles: TextFiles = Object.fromEntries(
  globSync('**/*.json', { cwd: folder })
    .sort()
    .map((path) => [path, JSON.parse(readFileSync(new URL(path, folder), 'utf8'))]),
);

const englishFile = /(?:^|\/)en\.json$/;

/** The folders that have an English file: `checkout`. */
export const textFolders = (files: TextFiles): string[] =>
  Object.keys(files)
    .filter((path) => englishFile.test(path))
    .map((path) => path.replace(englishFile, ''));

const placeholdersOf = (text = ''): string => (text.match(/\{\w+\}/g) ?? []).sort().join(' ');

function faultOf(key: string, english: string | undefined, text: string | undefined): string | undefined {
  if (text === undefined) return `lacks "${key}": ${english}`;
  if (english === undefined) return `has "${key}", which English does not have`;
  if (text.trim() !== text || text === '') return `has white space around "${key}", or no text`;
  const [wanted, found] = [placeholdersOf(english), placeholdersOf(text)];
  return wanted === found ? undefined : `has other placeholders in "${key}": "${found}" instead of "${wanted}"`;
}

/** What a translator still has to do in a folder: one sentence for each text, by the file that it belongs in. */
export function translationFaults(files: TextFiles, textFolder: string, languages: readonly string[]): string[] {
  const english = files[`${textFolder}/en.json`] ?? {};
  return languages.flatMap((language) => {
    const path = `${textFolder}/${language}.json`;
    const texts = files[path] ?? {};
    const keys = new Set([...Object.keys(english), ...Object.keys(texts)]);
    const faults = [...keys].map((key) => faultOf(key, english[key], texts[key]));
    return faults.filter((fault) => fault !== undefined).map((fault) => `${path} ${fault}`);
  });
}
