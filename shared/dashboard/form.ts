import { DomainError } from '../domain/errors.ts';

/** The most bytes of a form. It is enough for an image of 3 MB and the other fields. */
export const maxDashboardFormBytes = 3_145_728 + 128 * 1024;

const maxFields = 200;

/**
 * The most characters of a field. It is more than any text of a form has before it is normalized. The longest texts are
 * the merchant's policies.
 */
const maxFieldLetters = 100_000;

/** A posted form of the dashboard. A field that is missing in it is an empty text. */
export interface DashboardForm {
  text: (name: string) => string;
  /** All values of a repeated field. */
  all: (name: string) => string[];
  has: (name: string) => boolean;
  /** An uploaded file. */
  file: (name: string) => Buffer | undefined;
  /** All fields in order, without files. */
  fields: readonly Field[];
}

type Field = readonly [name: string, value: string];

/** Reads a form in both encodings. Only `multipart/form-data` can contain a file. */
export async function parseDashboardForm(contentType: string, bytes: Buffer): Promise<DashboardForm> {
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType))
    return formOf(atMost([...new URLSearchParams(bytes.toString('utf8'))]), new Map());
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return notAForm();
  const headers = { 'content-type': contentType };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(notAForm);
  const fields: Field[] = [];
  const files = new Map<string, Buffer>();
  for (const [name, value] of atMost([...form])) {
    if (typeof value === 'string') fields.push([name, value]);
    else if (value.size > 0) files.set(name, Buffer.from(await value.arrayBuffer()));
  }
  return formOf(fields, files);
}

function formOf(fields: readonly Field[], files: ReadonlyMap<string, Buffer>): DashboardForm {
  const tooLong = fields.some((field) => field.some((text) => text.length > maxFieldLetters));
  if (tooLong) throw new DomainError('PAYLOAD_TOO_LARGE', `A field can have at most ${maxFieldLetters} characters.`);
  return {
    fields,
    text: (name) => fields.find(([key]) => key === name)?.[1].trim() ?? '',
    all: (name) => fields.filter(([key]) => key === name).map(([, value]) => value),
    has: (name) => fields.some(([key]) => key === name),
    file: (name) => files.get(name),
  };
}

function atMost<Entry>(entries: Entry[]): Entry[] {
  if (entries.length <= maxFields) return entries;
  throw new DomainError('PAYLOAD_TOO_LARGE', `A form can have at most ${maxFields} fields.`);
}

const notAForm = (): never => {
  throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The request is not a form.');
};
