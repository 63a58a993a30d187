import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { EntitlementFile, FilesConfig } from '../../domain/entitlements/entitlement.ts';
import { textField } from '../../pages/fields.ts';
import { formatSize } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { uploadScript } from '../assets/upload-script.ts';
import { type Frame, may } from '../frame.ts';
import { actionButton, badge, card, dataTable, formKeys, guarded } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';

/** The size of each part except the last. A file of 5 GB has 320 parts. */
const partBytes = 16 * 1_024 * 1_024;

const commands = dashboardCommands.entitlements;

/** The card with the files of an entitlement, and the area on which new ones are dropped. */
export function filesCard(frame: Frame, to: string, { files }: FilesConfig): Html {
  const t = textsOf(dashboardTexts('entitlements'), frame);
  return card(
    { name: 'files', title: t('files') },
    html`${files.length === 0 ? html`<p class="soft">${t('files.none')}</p>` : fileTable(frame, to, files)}
${may(frame, commands.add_file) && uploadForm(frame, to, t)}`,
  );
}

function fileTable(frame: Frame, to: string, files: readonly EntitlementFile[]): Html {
  const t = textsOf(dashboardTexts('entitlements'), frame);
  return dataTable<EntitlementFile>(
    t('files'),
    [
      { label: t('file.name'), cell: ({ name }) => html`<span dir="auto">${name}</span>` },
      { label: t('file.size'), isNumber: true, cell: ({ size }) => (size === null ? '–' : formatSize(size, t.locale)) },
      {
        label: t('file.state'),
        cell: ({ isReady }) => badge('', isReady ? 'good' : 'wait', t(isReady ? 'file.ready' : 'file.awaited')),
      },
      {
        label: '',
        spokenLabel: t('table.actions'),
        cell: (file) => fileForms(frame, to, file, file === files[0]),
      },
    ],
    files,
  );
}

function fileForms(frame: Frame, to: string, file: EntitlementFile, isFirst: boolean): Html {
  const t = textsOf(dashboardTexts('entitlements'), frame);
  if (!may(frame, commands.rename_file)) return html``;
  const { id, name } = file;
  const fields = { file_id: id };
  const field = textField({ id: `name-${id}`, name: 'file_name', label: t('file.name'), value: name, maxLength: 255 });
  return html`<details><summary>${t('file.change')}<span class="visually-hidden"> ${name}</span></summary>
${actionButton(frame, { to, action: 'rename_file', needs: commands.rename_file, label: t('file.rename'), fields, choice: field })}
<div class="field scripted"><label for="replace-${id}">${t('file.replace')}</label><input type="file" id="replace-${id}" data-replaces="${id}" aria-describedby="replace-${id}-hint"><p class="hint" id="replace-${id}-hint">${t('file.replace.hint')}</p></div>
${!isFirst && actionButton(frame, { to, action: 'move_file', needs: commands.move_file, label: t('file.up'), fields })}
${guarded(frame, t('file.remove'), t('file.remove.text'), { to, action: 'remove_file', needs: commands.remove_file, label: t('file.remove.button'), fields })}</details>`;
}

/** The form whose files the script sends in parts. It contains the script's texts. */
const uploadForm = (frame: Frame, to: string, t: Texts<TextKey<'entitlements'>>): Html =>
  html`<form method="post" action="${to}" id="uploads" class="uploads" data-part-bytes="${String(partBytes)}" data-failed="${t('upload.failed')}" data-done="${t('upload.done')}" data-cancelled="${t('upload.cancelled')}" data-progress="${t('upload.progress')}">${formKeys(frame)}
<div class="field scripted"><label for="new_files">${t('upload')}</label><input type="file" id="new_files" multiple aria-describedby="new_files-hint"><p class="hint" id="new_files-hint">${t('upload.hint')}</p></div>
<ul class="scripted" data-list></ul>
<p class="hint scripted" role="status"></p>
<p class="note wait unscripted">${t('upload.unscripted')}</p>
<template><li><strong dir="auto"></strong><progress max="100" value="0"></progress><span class="hint"></span><button type="button" class="second" data-cancel>${t('upload.cancel')}</button><button type="button" class="second" data-again hidden>${t('upload.again')}</button></li></template>
</form>
<script type="module" src="/assets/${uploadScript.name}"></script>`;
