import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { Pool } from '../../domain/entitlements/pool.ts';
import { maxImportedCodes } from '../../domain/entitlements/pool-code.ts';
import { formatCount } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { codesScript } from '../assets/codes-script.ts';
import { type Frame, may } from '../frame.ts';
import { card, formKeys } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

/** The result of an import: new codes, codes that the pool already had, and the lines that were left out. */
export interface AddedCodes {
  added: number;
  repeated: number;
  refused: readonly number[];
}

/** The most line numbers in the report. */
const mostLines = 20;

/** The first line numbers of a list, as text. */
export const listedLines = (lines: readonly (number | string)[]): string =>
  lines.slice(0, mostLines).join(', ') + (lines.length > mostLines ? ' …' : '');

/** The card of a pool: its state, the result of the latest import, and the field for codes. */
export function codesCard(
  frame: Frame,
  to: string,
  { pool, done }: { pool: Pool; done: AddedCodes | undefined },
): Html {
  const t = textsOf(dashboardTexts('entitlements'), frame);
  const number = (count: number) => formatCount(count, t.locale);
  return card(
    { name: 'codes', title: t('codes') },
    html`${done && report(done, t)}${pool.waiting > 0 && html`<p class="note wait">${t.count('codes.waiting', pool.waiting)}</p>`}
<dl class="facts"><div><dt>${t('codes.free')}</dt><dd>${number(pool.free)}</dd></div><div><dt>${t('codes.given')}</dt><dd>${number(pool.given)}</dd></div><div><dt>${t('codes.queue')}</dt><dd>${number(pool.waiting)}</dd></div></dl>
${may(frame, dashboardCommands.entitlements.add_codes) && codesForm(frame, to, t)}`,
  );
}

function report({ added, repeated, refused }: AddedCodes, t: Texts<TextKey<'entitlements'>>): Html {
  const lines = listedLines(refused);
  return html`<p class="note done" role="status">${t.count('codes.added', added)}${repeated > 0 && html` ${t.count('codes.repeated', repeated)}`}</p>
${refused.length > 0 && html`<p class="note fault-note">${t('codes.refused', { lines })}</p>`}`;
}

/** The form whose codes the script sends in portions. It contains the script's texts. */
const codesForm = (frame: Frame, to: string, t: Texts<TextKey<'entitlements'>>): Html =>
  html`<form method="post" action="${to}" id="add_codes" data-portion="500" data-progress="${t('codes.progress')}" data-failed="${t('codes.failed')}">${formKeys(frame)}
<div class="field"><label for="codes">${t('codes.paste')}</label><textarea id="codes" name="codes" rows="6" spellcheck="false" autocomplete="off" aria-describedby="codes-hint" dir="auto"></textarea><p class="hint" id="codes-hint">${t('codes.paste.hint')}</p><p class="hint unscripted">${t('codes.unscripted', { most: formatCount(maxImportedCodes, t.locale) })}</p></div>
<div class="field scripted"><label for="codes_file">${t('codes.file')}</label><input type="file" id="codes_file" accept=".csv,.txt,text/csv,text/plain"></div>
<p class="submit"><button class="main" name="action" value="add_codes">${t('codes.add')}</button><progress max="100" value="0" hidden></progress><span class="hint" role="status"></span></p>
</form>
<script type="module" src="/assets/${codesScript.name}"></script>`;
