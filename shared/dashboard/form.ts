import { DomainError } from '../domain/errors.ts';

/** Room for an image of 3 MB and the other fields. */
export const maxDashboardFormBytes = 3_145_728 + 128 * 1024;

const maxFields = 200;
const maxHeadBytes = 4_096;

/** A posted form of the dashboard. A missing field is empty. */
export interface DashboardForm {
  text: (name: string) => string;
  /** All values of a repeated name. */
  all: (name: string) => string[];
  has: (name: string) => boolean;
  /** A file that was chosen. */
  file: (name: string) => Buffer | undefined;
  /** All fields in their order, files left out. */
  fields: readonly (readonly [string, string])[];
}

interface Part {
  name: string;
  /** Undefined: a field. */
  fileName: string | undefined;
  data: Buffer;
}

/** Reads both encodings of forms. Only `multipart/form-data` can carry a file. */
export function parseDashboardForm(contentType: string, bytes: Buffer): DashboardForm {
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType))
    return formOf(atMost([...new URLSearchParams(bytes.toString('utf8'))]), []);
  const boundary = /^multipart\/form-data\s*;.*?boundary="?([^";]{1,70})"?/i.exec(contentType)?.[1];
  if (boundary === undefined) throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'The request is not a form.');
  const parts = atMost(readParts(bytes, boundary));
  const fields = parts.filter(({ fileName }) => fileName === undefined);
  return formOf(
    fields.map(({ name, data }) => [name, data.toString('utf8')] as const),
    parts.filter(({ fileName, data }) => fileName !== undefined && data.length > 0),
  );
}

const formOf = (fields: DashboardForm['fields'], files: readonly Part[]): DashboardForm => ({
  fields,
  text: (name) => fields.find(([key]) => key === name)?.[1].trim() ?? '',
  all: (name) => fields.filter(([key]) => key === name).map(([, value]) => value),
  has: (name) => fields.some(([key]) => key === name),
  file: (name) => files.find((file) => file.name === name)?.data,
});

function atMost<Field>(fields: Field[]): Field[] {
  if (fields.length <= maxFields) return fields;
  throw new DomainError('PAYLOAD_TOO_LARGE', `A form can have at most ${maxFields} fields.`);
}

/** The parts between the boundaries. An unfinished part is ignored. */
function readParts(bytes: Buffer, boundary: string): Part[] {
  const separator = Buffer.from(`\r\n--${boundary}`);
  const body = Buffer.concat([Buffer.from('\r\n'), bytes]);
  const parts: Part[] = [];
  let start = body.indexOf(separator);
  while (start >= 0 && parts.length <= maxFields) {
    const from = start + separator.length + 2;
    const end = body.indexOf(separator, from);
    if (end < 0) break;
    const part = readPart(body.subarray(from, end));
    if (part) parts.push(part);
    start = end;
  }
  return parts;
}

function readPart(part: Buffer): Part | undefined {
  const headEnd = part.subarray(0, maxHeadBytes).indexOf('\r\n\r\n');
  const head = part.subarray(0, Math.max(0, headEnd)).toString('utf8');
  const name = /^content-disposition:[^\r\n]*?[; ]name="([^"\r\n]*)"/im.exec(head)?.[1];
  if (name === undefined) return undefined;
  const fileName = /^content-disposition:[^\r\n]*?; *filename="([^"\r\n]*)"/im.exec(head)?.[1];
  return { name, fileName, data: part.subarray(headEnd + 4) };
}
