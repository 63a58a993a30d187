import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Declarations, type Declared, readDeclarations, readType } from './declarations.ts';

/** A type, and the file whose names it uses. */
export interface DeclaredPlace {
  type: Declared;
  file: string;
}

/** An answer that the library declares: of an operation, or a webhook's payload. */
export interface DeclaredAnswer {
  /** Such as `GET /payments/{}` or `payment.succeeded`. */
  name: string;
  answer: DeclaredPlace;
}

export interface Library {
  version: string;
  operations: DeclaredAnswer[];
  events: DeclaredAnswer[];
  /** What a type is once its names are looked up: the alternatives of a union, without references. */
  alternatives(place: DeclaredPlace): DeclaredPlace[];
}

const answers = /^ {4}(\w+)\([^\n]*\): (APIPromise|PagePromise)<(.*)>;$/gm;
const methods = /^ {4}(\w+)\([^\n]*\) \{\n([\s\S]*?)^ {4}\}/gm;
const sends = /this\._client\.(getAPIList|get|post|patch|put|delete)\(\s*(?:path\s*)?[`']([^`']+)[`'](?:, \((\w+)\))?/;

/** What a page of items looks like in JSON, by the class that reads it. */
const pages: Readonly<Record<string, string>> = {
  DefaultPageNumberPagination: 'items',
  CursorPagePagination: 'data',
};

function pageOf(item: string, pageClass: string | undefined): string {
  const list = pages[pageClass ?? ''];
  if (list === undefined) throw new Error(`The library has pages of a kind that is not known here: ${pageClass}.`);
  return `{ ${list}: Array<${item}>; }`;
}

/** The operations of one file: what each method sends, by its code, and what it answers, by its declaration. */
function operationsIn(folder: string, file: string): DeclaredAnswer[] {
  const code = readFileSync(join(folder, file.replace(/\.d\.ts$/, '.mjs')), 'utf8');
  const declared = new Map(
    [...readFileSync(join(folder, file), 'utf8').matchAll(answers)].map(([, name = '', kind, type = '']) => [
      name,
      { isPage: kind === 'PagePromise', type },
    ]),
  );
  return [...code.matchAll(methods)].flatMap(([, name = '', body = '']) => {
    const [, verb = '', path = '', pageClass] = sends.exec(body) ?? [];
    const answer = declared.get(name);
    if (!answer || path === '') return [];
    const item = answer.type.split(', ').at(-1) ?? '';
    const type = readType(answer.isPage ? pageOf(item, pageClass) : answer.type);
    const method = verb === 'getAPIList' ? 'GET' : verb.toUpperCase();
    return [{ name: `${method} ${path.replace(/\$\{[^}]*\}/g, '{}')}`, answer: { type, file } }];
  });
}

/** The payloads of webhooks: every model of the name `…WebhookEvent` that has one literal type. */
const eventsIn = (file: string, { types }: Declarations): DeclaredAnswer[] =>
  [...types].flatMap(([name, type]) => {
    if (!name.endsWith('WebhookEvent') || type.kind !== 'object') return [];
    const kind = type.fields.get('type')?.type;
    return kind?.kind === 'literal' ? [{ name: String(kind.value), answer: { type, file } }] : [];
  });

/** Types that say nothing about the JSON. */
const untold: ReadonlySet<string> = new Set(['void', 'unknown', 'any', 'Response']);

/** Looks names up as the compiler does: in the namespace, in those around it, then among the imports. */
function lookup(files: ReadonlyMap<string, Declarations>, { type, file }: DeclaredPlace): DeclaredPlace {
  if (type.kind !== 'reference') return { type, file };
  const here = files.get(file);
  for (let scope = type.scope; ; scope = scope.replace(/[^.]+\.$/, '')) {
    const found = here?.types.get(scope + type.name);
    if (found) return { type: found, file };
    if (scope === '') break;
  }
  const [first = '', ...rest] = type.name.split('.');
  const source = here?.imports.get(first);
  const other = join(dirname(file), source?.from ?? '').replace(/\.js$/, '.d.ts');
  if (!source || !files.has(other)) throw new Error(`The library does not say what ${type.name} is in ${file}.`);
  const name = [...(source.name ? [source.name] : []), ...rest].join('.');
  return lookup(files, { type: { kind: 'reference', name, scope: '' }, file: other });
}

function alternativesIn(files: ReadonlyMap<string, Declarations>, place: DeclaredPlace): DeclaredPlace[] {
  if (place.type.kind === 'reference' && untold.has(place.type.name)) return [{ ...place, type: { kind: 'any' } }];
  const { type, file } = lookup(files, place);
  if (type.kind === 'union') return type.options.flatMap((one) => alternativesIn(files, { type: one, file }));
  if (type.kind === 'reference') return alternativesIn(files, { type, file });
  return [{ type, file }];
}

/** Reads the declarations and the code of an unpacked `dodopayments`. */
export function readLibrary(folder: string): Library {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const names = globSync('resources/**/*.d.ts', { cwd: folder }).sort();
  const files = new Map(names.map((file) => [file, readDeclarations(readFileSync(join(folder, file), 'utf8'))]));
  return {
    version,
    operations: names.flatMap((file) => operationsIn(folder, file)),
    events: [...files].flatMap(([file, declarations]) => eventsIn(file, declarations)),
    alternatives: (place) => alternativesIn(files, place),
  };
}
