import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import {
  hashesOf,
  namesClosedPlatform,
  type PolicyKind,
  type PolicyLog,
  type Publication,
  policyKinds,
} from '../../domain/catalogue/policies.ts';
import { languageAttributes } from '../../pages/direction.ts';
import { formatLanguage } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { locales } from '../../pages/locale.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { date, time } from '../dates.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import {
  badge,
  card,
  dataTable,
  type FormFault,
  faultSummary,
  fieldCard,
  formKeys,
  messageAt,
  selectBox,
  textArea,
} from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { maxPolicyLetters, templateKind } from './policy-form.ts';

const section = '/dashboard/brands';
const page = `${section}/policies`;

interface PoliciesView {
  chosen: { kind: PolicyKind; language: string };
  log: PolicyLog;
  /** Whether a version is stored already. Texts that 0.2.0 wrote are not stored as versions yet. */
  isStored: (hash: string) => boolean;
  /** The text in the form. */
  text: string;
  isPreview: boolean;
  faults: readonly FormFault[];
}

type LegalTexts = Texts<TextKey<'legal'>>;

/** The page of policies. It shows what is published, the form of one text, and the versions of this text. */
export function policiesPage(frame: Frame, view: PoliciesView) {
  const t = textsOf(dashboardTexts('legal'), frame);
  const main = html`${faultSummary(view.faults, t)}
${view.isPreview && previewCard(view, t)}
${textForm(frame, view, t)}
${historyCard(view, t)}
${publishedCard(view, t)}
${choiceCard(view, t)}`;
  const above = { href: section, label: t('nav./dashboard/brands') };
  const statusCode = view.faults.length > 0 ? 422 : 200;
  const changes = dashboardCommands.brands.save_policies;
  return dashboardAnswer(frame, { title: t('policies'), section, above, main, changes }, { statusCode });
}

const addressOf = (kind: string, language: string): string => `${page}?kind=${kind}&language=${language}`;

function publishedCard({ log }: PoliciesView, t: LegalTexts): Html {
  const current = hashesOf(log);
  const languagesOf = (kind: PolicyKind): string[] => Object.keys(current[kind] ?? {});
  const columns = [
    { label: t('policies.kind'), cell: (kind: PolicyKind) => html`<strong>${t(`policies.${kind}`)}</strong>` },
    {
      label: t('policies.languages'),
      cell: (kind: PolicyKind) =>
        languagesOf(kind).length === 0
          ? html`<span class="soft">${t('policies.none')}</span>`
          : languagesOf(kind).map(
              (language) => html`<a href="${addressOf(kind, language)}">${formatLanguage(language, t.locale)}</a> `,
            ),
    },
  ];
  return card(
    { name: 'published', title: t('policies.published') },
    html`<p class="lead">${t('policies.hint')}</p>
${dataTable(t('policies.published'), columns, policyKinds)}`,
  );
}

const choiceCard = ({ chosen }: PoliciesView, t: LegalTexts): Html =>
  card(
    { name: 'choose', title: t('policies.choose') },
    html`<form class="filters" method="get" action="${page}">
${selectBox({ id: 'kind', name: 'kind', label: t('policies.kind'), value: chosen.kind, options: policyKinds.map((kind) => ({ value: kind, label: t(`policies.${kind}`) })) })}
${selectBox({ id: 'text-language', name: 'language', label: t('policies.language'), value: chosen.language, options: locales.map((locale) => ({ value: locale, label: formatLanguage(locale, t.locale) })) })}
<p class="actions"><button class="second">${t('policies.open')}</button></p>
</form>`,
  );

function textForm(frame: Frame, { chosen, text, faults }: PoliciesView, t: LegalTexts): Html {
  const { kind, language } = chosen;
  const isLocked = !may(frame, dashboardCommands.brands.save_policies);
  return html`<form method="post" action="${page}" novalidate>${formKeys(frame)}<input type="hidden" name="kind" value="${kind}"><input type="hidden" name="language" value="${language}">
${fieldCard(
  { title: `${t(`policies.${kind}`)} · ${formatLanguage(language, t.locale)}`, isLocked, kind: 'policies' },
  html`${templateKind(kind) && !isLocked && html`<p><a href="${`${section}/${kind}`}">${t('template.make')}</a></p>`}${namesClosedPlatform(text) && html`<p class="note wait">${t('policies.odr')}</p>`}
${textArea({
  id: 'text',
  label: t(`policies.${kind}`),
  value: text,
  maxLength: maxPolicyLetters,
  hint: t(`policies.${kind}.hint`),
  fault: messageAt(faults, 'text'),
})}`,
)}${!isLocked && html`<p class="submit"><button class="main" name="action" value="save_policies">${t('save')}</button> <button class="second" name="action" value="preview_policies">${t('policies.preview')}</button></p>`}</form>`;
}

const previewCard = ({ chosen, text }: PoliciesView, t: LegalTexts): Html =>
  card(
    { name: 'preview', title: t('policies.preview') },
    html`<p class="lead">${t('policies.preview.hint')}</p>
<div class="policy"${languageAttributes(chosen.language)}>${text}</div>`,
  );

interface HistoryRow extends Publication {
  /** When the next version replaced this one; undefined if this one is current. */
  until: string | undefined;
}

/** The card with the versions of the chosen text, newest first. */
function historyCard({ chosen, log, isStored }: PoliciesView, t: LegalTexts): Html {
  const own = log.publications.filter(({ kind, language }) => kind === chosen.kind && language === chosen.language);
  if (own.length === 0) return html``;
  const rows: HistoryRow[] = own.map((one, index) => ({ ...one, until: own[index + 1]?.at })).reverse();
  const columns = [
    { label: t('policies.history.from'), cell: ({ at }: HistoryRow) => time(at, t.locale) },
    {
      label: t('policies.history.until'),
      cell: ({ until }: HistoryRow) =>
        until ? date(until, t.locale) : badge('current', 'good', t('policies.history.current')),
    },
    { label: t('policies.history.version'), cell: (row: HistoryRow) => versionLink(row, isStored, t) },
  ];
  return card(
    { name: 'history', title: t('policies.history') },
    html`<p class="lead">${t('policies.versions.hint')}</p>
${dataTable(t('policies.history'), columns, rows)}`,
  );
}

function versionLink({ kind, language, hash }: HistoryRow, isStored: PoliciesView['isStored'], t: LegalTexts): Html {
  if (hash === null) return html`<span class="soft">${t('policies.history.ended')}</span>`;
  const address = isStored(hash) ? `/policies/${kind}/${hash}?lang=${language}` : `/policies/${kind}?lang=${language}`;
  return html`<a href="${address}" target="_blank" rel="noopener"><code>${hash.slice(0, 8)}</code></a>`;
}
