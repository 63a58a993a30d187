/** `npm run einvoices`: the XML of many documents, checked by the official rules of EN 16931, and some broken ones that they must refuse. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { CommandError, quoted, root, runLine } from '../../infra/emulator/command.ts';
import { installPython } from '../../infra/emulator/python.ts';
import { ublDocument } from '../../shared/documents/ubl/ubl-document.ts';
import type { Document } from '../../shared/domain/documents/document.ts';
import { vatBreakdownOf } from '../../shared/domain/documents/vat-breakdown.ts';
import type { Locale } from '../../shared/pages/locale.ts';
import { specimens } from '../documents/specimens.ts';
import { brokenCopies } from './broken-copies.ts';
import { randomDocument } from './random-documents.ts';

const folder = join(root, '.data/einvoices');
const fileBeside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** The XML of a document; undefined where the standard has no place for it. */
function xmlOf(document: Document, locale: Locale): string | undefined {
  const breakdown = vatBreakdownOf(document);
  if (typeof breakdown === 'string') return undefined;
  return ublDocument(document, breakdown, { locale, isSandbox: true, businessId: 'demo' });
}

interface Example {
  name: string;
  xml: string;
}

function writeAll(name: string, examples: readonly Example[]): string {
  const place = join(folder, name);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place, { recursive: true });
  for (const example of examples) writeFileSync(join(place, `${example.name}.xml`), example.xml);
  return place;
}

const named = (name: string, document: Document, locale: Locale): Example[] => {
  const xml = xmlOf(document, locale);
  return xml === undefined ? [] : [{ name, xml }];
};

const validatorLine = (interpreter: string, place: string): string =>
  `${quoted(interpreter)} ${quoted(fileBeside('validate.py'))} ${quoted(place)}`;

/** What the validator says, whether it finds faults or not. */
async function validated(interpreter: string, place: string): Promise<string> {
  try {
    return await runLine(validatorLine(interpreter, place), {});
  } catch (error) {
    if (error instanceof CommandError) return error.message;
    throw error;
  }
}

async function hasPython(): Promise<boolean> {
  const isNewEnough = 'import sys, venv; sys.exit(sys.version_info < (3, 10))';
  return runLine(`python3 -c ${quoted(isNewEnough)}`, {}).then(
    () => true,
    () => false,
  );
}

async function check(): Promise<void> {
  if (!(await hasPython())) return console.log('Skipped: the validator needs Python 3.10 or later with venv.');
  const interpreter = await installPython(join(folder, 'python'), fileBeside('requirements.txt'));
  const fixed = specimens.flatMap(({ name, document, locale }) => named(name, document, locale));
  const random = fc
    .sample(randomDocument, { numRuns: 600, seed: 16_931 })
    .flatMap((document, index) => named(`random-${index}`, document, 'en'));
  console.log(await runLine(validatorLine(interpreter, writeAll('good', [...fixed, ...random])), {}));
  const [whole] = fixed;
  if (!whole) throw new Error('There is no specimen that EN 16931 can carry.');
  const broken = brokenCopies(whole.xml);
  const said = await validated(interpreter, writeAll('broken', broken));
  const missed = broken.filter(({ name, rule }) => !said.includes(`${name}.xml\t${rule}\t`));
  if (missed.length > 0)
    throw new Error(`The validator did not see ${missed.map(({ name }) => name).join(', ')}:\n${said}`);
  console.log(`${broken.length} broken documents were refused, each by its rule.`);
}

await check();
