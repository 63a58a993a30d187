import type { Entitlement, EntitlementFile } from '../../domain/entitlements/entitlement.ts';
import { maxFiles } from '../../domain/entitlements/files.ts';
import type { DomainError } from '../../domain/errors.ts';
import type { Page } from '../../http/page.ts';
import { pageHeaders } from '../../pages/headers.ts';
import type { Locale } from '../../pages/locale.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import {
  type AnnounceFileDeps,
  announceFile,
  moveFileUp,
  removeFile,
  renameFile,
} from '../../use-cases/entitlements/entitlement-files.ts';
import { finishFile, signFilePart, type UploadInPartsDeps } from '../../use-cases/entitlements/upload-in-parts.ts';
import { FileInput, FileNameInput, FilePartInput, FilePartsInput } from '../../wire/entitlements/file-input.ts';
import { parseInput } from '../../wire/parse.ts';
import { unlessRefused } from '../dashboard.ts';
import type { DashboardForm } from '../form.ts';
import { faultText } from '../form-faults.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission } from '../visit.ts';

export type FileFormsDeps = AnnounceFileDeps & UploadInPartsDeps;

/** Shows the page of the entitlement again, with the reason of a refusal. */
type ShowRefusal = (refusal: DomainError) => Promise<Page>;

const json = (statusCode: number, value: object): Page => ({
  statusCode,
  headers: { ...pageHeaders(), 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** Why a file was refused, as text. The text for a wrong entry depends on its field. */
export function fileRefusal(refusal: DomainError, frame: { locale: Locale }): string {
  const t = textsOf(dashboardTexts('entitlements'), frame, dashboardTexts('faults'));
  const [fault] = refusal.details.faults ?? [];
  if (fault?.path === 'file_name') return t('fault.fileName');
  if (fault?.path === 'file_size') return t('fault.fileSize');
  return fault?.path === 'id' ? t('fault.fileCount', { most: String(maxFiles) }) : faultText(refusal, t);
}

/** Sends a refusal as JSON, because the script of the page reads it. */
const refusedAsJson =
  (submission: FormSubmission) =>
  (refusal: DomainError): Page =>
    json(422, { refusal: fileRefusal(refusal, submission) });

const placeIn = ({ request, form }: FormSubmission) => ({
  entitlementId: request.param('entitlement_id'),
  fileId: form.text('file_id'),
});

const numberIn = (form: DashboardForm, name: string): number => Number(form.text(name) || Number.NaN);

/** Adds a file whose parts the script then sends. The address to which it redirects contains the id of the file. */
export const addFileByForm = (deps: FileFormsDeps, submission: FormSubmission) =>
  unlessRefused(async () => {
    const { request, form, once } = submission;
    const type = form.text('content_type');
    const input = { file_name: form.text('file_name'), file_size: numberIn(form, 'file_size') };
    const announced = parseInput(FileInput, { ...input, ...(type !== '' && { content_type: type }) });
    return once<EntitlementFile>(
      (claim) => announceFile(deps, request.param('entitlement_id'), announced, claim),
      ({ id }) => `${request.path}?file=${id}`,
    );
  }, refusedAsJson(submission));

/** Returns the address for the upload of one part, as JSON. */
export const signPartByForm = (deps: FileFormsDeps, submission: FormSubmission) =>
  unlessRefused(async () => {
    const { form } = submission;
    const place = placeIn(submission);
    const { fileId: _, ...part } = parseInput(FilePartInput, {
      fileId: place.fileId,
      ...(form.has('upload_id') && { uploadId: form.text('upload_id') }),
      number: numberIn(form, 'number'),
      size: numberIn(form, 'size'),
      sha256: form.text('sha256'),
    });
    const { uploadId, address } = await signFilePart(deps, place, part);
    return json(200, { upload_id: uploadId, url: address.url, headers: address.headers });
  }, refusedAsJson(submission));

export const finishFileByForm = (deps: FileFormsDeps, submission: FormSubmission) =>
  unlessRefused(async () => {
    const { form, once } = submission;
    const place = placeIn(submission);
    const { fileId: _, ...sent } = parseInput(FilePartsInput, {
      fileId: place.fileId,
      uploadId: form.text('upload_id'),
      parts: partsIn(form),
      ...(form.has('replaces') && { replaces: form.text('replaces') }),
    });
    return once<Entitlement>(
      (claim) => finishFile(deps, place, sent, claim),
      () => `${submission.request.path}?done=uploaded`,
    );
  }, refusedAsJson(submission));

function partsIn(form: DashboardForm): unknown {
  try {
    return JSON.parse(form.text('parts'));
  } catch {
    return undefined;
  }
}

export const renameFileByForm = (deps: FileFormsDeps, submission: FormSubmission, refused: ShowRefusal) =>
  unlessRefused(async () => {
    const { file_name: name } = parseInput(FileNameInput, { file_name: submission.form.text('file_name') });
    return submission.once<Entitlement>(
      (claim) => renameFile(deps, { ...placeIn(submission), name }, claim),
      () => `${submission.request.path}?done=saved`,
    );
  }, refused);

export const moveFileByForm = (deps: FileFormsDeps, submission: FormSubmission) =>
  submission.once<Entitlement>(
    (claim) => moveFileUp(deps, placeIn(submission), claim),
    () => `${submission.request.path}?done=saved`,
  );

export const removeFileByForm = (deps: FileFormsDeps, submission: FormSubmission) =>
  submission.once<Entitlement>(
    (claim) => removeFile(deps, placeIn(submission), claim),
    () => `${submission.request.path}?done=removed`,
  );
