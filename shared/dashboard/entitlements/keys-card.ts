import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { maxImportedKeys } from '../../domain/entitlements/license-key.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { type ImportedKeys, type ImportKeysDeps, importKeys } from '../../use-cases/entitlements/import-keys.ts';
import { type KeyFile, keyColumns, leastSafeLength, licenseKeyFile } from '../../wire/entitlements/key-rows.ts';
import { codesScript } from '../assets/codes-script.ts';
import { type Frame, may } from '../frame.ts';
import { card, checkBox, formKeys } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { listedLines } from './codes-card.ts';

/** The most line numbers in an answer. */
const mostNamed = 100;

/**
 * The result of an import or of a check, in the address to which the form redirects. A faulty line is written with the
 * first letter of its column.
 */
interface KeyReport {
  isTrial: boolean;
  added: number;
  repeated: number;
  refused: readonly string[];
  short: readonly string[];
}

export function keyReportIn({ request }: Visit): KeyReport | undefined {
  const count = (name: string) => Number(/^\d{1,6}$/.exec(request.query(name) ?? '')?.[0] ?? 0);
  const lines = (name: string, form: RegExp) => (request.query(name) ?? '').split('.').filter((one) => form.test(one));
  if (request.query('added') === undefined) return undefined;
  return {
    ...{ isTrial: request.query('trial') !== undefined, added: count('added'), repeated: count('repeated') },
    ...{ refused: lines('refused', /^\d{1,7}[a-z]$/), short: lines('short', /^\d{1,7}$/) },
  };
}

/** Imports pasted keys, or only checks them. Returns undefined if there are none, or more than one request accepts. */
export function keysFrom({ request, form }: FormSubmission): KeyFile | undefined {
  const file = licenseKeyFile(form.all('keys')[0] ?? '', { productId: request.param('id') });
  const count = file.rows.length + file.faults.length;
  return count === 0 || count > maxImportedKeys ? undefined : file;
}

export function importPastedKeys(deps: ImportKeysDeps, submission: FormSubmission, file: KeyFile) {
  const { request, form } = submission;
  const subject = request.param('id');
  const isTrial = form.text('trial') === 'true';
  const address = ({ added, repeated, strangers }: ImportedKeys) => {
    const unknown = strangers.map(({ line, names }) => ({ line, column: names }));
    const refused = [...file.faults, ...unknown].toSorted((one, other) => one.line - other.line);
    const short = file.rows.filter(({ key }) => key.key.length < leastSafeLength).map(({ line }) => String(line));
    const named = (name: string, lines: readonly string[]) =>
      lines.length > 0 ? `&${name}=${lines.slice(0, mostNamed).join('.')}` : '';
    return `${request.path}?added=${added}&repeated=${repeated}${named(
      'refused',
      refused.map(({ line, column }) => `${line}${column[0]}`),
    )}${named('short', short)}${isTrial ? '&trial=1' : ''}#keys`;
  };
  return isTrial
    ? importKeys(deps, file.rows, { subject, claim: undefined }).then((done) => ({ trial: address(done) }))
    : submission.once<ImportedKeys>((claim) => importKeys(deps, file.rows, { subject, claim }), address);
}

/** The card with which keys from an earlier system are imported. */
export function keysCard(frame: Frame, to: string, done: KeyReport | undefined): Html {
  const t = textsOf(dashboardTexts('entitlements'), frame);
  if (!may(frame, dashboardCommands.entitlements.import_keys)) return html``;
  return card({ name: 'keys', title: t('keys') }, html`${done && report(done, t)}${keysForm(frame, to, t)}`);
}

function report(done: KeyReport, t: Texts<TextKey<'entitlements'>>): Html {
  const { isTrial, added, repeated, refused, short } = done;
  const ofColumn = (column: string) =>
    refused.filter((one) => one.endsWith(column[0] ?? '')).map((one) => one.slice(0, -1));
  const faults = keyColumns
    .map((column) => ({ column, lines: ofColumn(column) }))
    .filter(({ lines }) => lines.length > 0);
  return html`<p class="note done" role="status">${t.count(isTrial ? 'keys.valid' : 'keys.added', added)}${repeated > 0 && html` ${t.count('codes.repeated', repeated)}`}</p>
${faults.map(({ column, lines }) => html`<p class="note fault-note">${t('keys.refused', { column, lines: listedLines(lines) })}</p>`)}
${short.length > 0 && html`<p class="note wait">${t('keys.short', { least: formatCount(leastSafeLength, t.locale), lines: listedLines(short) })}</p>`}`;
}

/** The form whose rows the script sends in portions. Each portion begins with the heading. */
const keysForm = (frame: Frame, to: string, t: Texts<TextKey<'entitlements'>>): Html =>
  html`<form method="post" action="${to}" id="import_keys" data-portion="${String(maxImportedKeys)}" data-heading data-progress="${t('codes.progress')}" data-failed="${t('keys.failed')}">${formKeys(frame)}
<div class="field"><label for="keys_text">${t('keys.paste')}</label><textarea id="keys_text" name="keys" rows="6" spellcheck="false" autocomplete="off" aria-describedby="keys-hint" dir="ltr"></textarea><p class="hint" id="keys-hint">${t('keys.paste.hint', { columns: keyColumns.join(', ') })}</p><p class="hint unscripted">${t('keys.unscripted', { most: formatCount(maxImportedKeys, t.locale) })}</p></div>
<div class="field scripted"><label for="keys_file">${t('codes.file')}</label><input type="file" id="keys_file" accept=".csv,.txt,text/csv,text/plain"></div>
${checkBox({ id: 'trial', label: t('keys.trial'), isChecked: false })}
<p class="submit"><button class="main" name="action" value="import_keys">${t('keys.add')}</button><progress max="100" value="0" hidden></progress><span class="hint" role="status"></span></p>
</form>
<script type="module" src="/assets/${codesScript.name}"></script>`;
