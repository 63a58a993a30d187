import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { hashesOf, type PolicyChange } from '../../domain/catalogue/policies.ts';
import type { DomainError } from '../../domain/errors.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Page } from '../../http/page.ts';
import { formatLanguage } from '../../pages/format.ts';
import { html } from '../../pages/html.ts';
import { findLocale, type Locale, locales } from '../../pages/locale.ts';
import { dashboardTexts } from '../../texts/texts.ts';
import { publishPolicies } from '../../use-cases/catalogue/publish-policies.ts';
import { AccessibilityInput, ImprintInput } from '../../wire/catalogue/policy-form.ts';
import { parseInput } from '../../wire/parse.ts';
import { unlessRefused } from '../dashboard.ts';
import { drawing, type Entries, jsonOf, refusedEntries, type Typed, typedTexts } from '../entries.ts';
import { dashboardAnswer, frameOf, may } from '../frame.ts';
import { checkBox, faultSummary, fieldCard, formKeys } from '../parts.ts';
import { textsOf } from '../texts.ts';
import type { FormSubmission, Visit } from '../visit.ts';
import { type TemplateKind, templateKind } from './policy-form.ts';
import type { PolicyPagesDeps } from './policy-pages.ts';
import { accessibilityText, imprintText } from './policy-templates.ts';
import { accessibilityEntries, imprintEntries } from './template-entries.ts';

export interface TemplatePagesDeps extends PolicyPagesDeps {
  merchant: Pick<Merchant, 'name' | 'address' | 'supportEmail' | 'supportPhone' | 'taxId'>;
}

/** A form that makes a text. It has the fields, and a function that writes the text in a language. */
interface Template {
  entries: Entries;
  /** Writes the text. Throws an error that says what is wrong with the entries. */
  write: (json: unknown, locale: Locale) => string;
}

const templates: Readonly<Record<TemplateKind, Template>> = {
  imprint: {
    entries: imprintEntries,
    write: (json, locale) => imprintText(parseInput(ImprintInput, json), locale),
  },
  accessibility: {
    entries: accessibilityEntries,
    write: (json, locale) => accessibilityText(parseInput(AccessibilityInput, json), locale),
  },
};

const section = '/dashboard/brands';

/** The entries that are known from the merchant's configuration. */
const known = (kind: TemplateKind, { merchant, now }: TemplatePagesDeps): Typed => {
  const { name, address, supportEmail = '', supportPhone = '', taxId = '' } = merchant;
  return kind === 'imprint'
    ? { name, address: address.join('\n'), email: supportEmail, phone: supportPhone, taxId, arbitration: 'none' }
    : { email: supportEmail, status: 'partly', checkedOn: now().toISOString().slice(0, 10) };
};

/**
 * The page with the form for a text. It asks for what the law requires in such a text, and starts with the last
 * entries.
 */
export async function showTemplate(deps: TemplatePagesDeps, visit: Visit, kind: TemplateKind): Promise<Page> {
  const log = await deps.brands.policyLog();
  const published = Object.keys(hashesOf(log)[kind] ?? {});
  return templatePage(visit, {
    kind,
    typed: log.forms?.[kind] ?? known(kind, deps),
    languages: published.length > 0 ? published : [deps.policyLanguage],
  });
}

/** Publishes the text in each chosen language. If an entry is wrong, the form is shown again with its errors. */
export function makePolicy(deps: TemplatePagesDeps, submission: FormSubmission): Promise<Page> {
  const { form, locale, request } = submission;
  const kind = templateKind(request.param('id')) ?? 'imprint';
  const { entries, write } = templates[kind];
  const typed = typedTexts(entries, form);
  const chosen = form.all('languages').flatMap((one) => findLocale(one) ?? []);
  const languages = chosen.length > 0 ? chosen : [findLocale(deps.policyLanguage) ?? 'en'];
  return unlessRefused(
    async () => {
      const { json } = jsonOf(entries, { typed, locale });
      const changes = languages.map((language) => ({ kind, language, text: write(json, language), form: typed }));
      return submission.once<readonly PolicyChange[]>(
        (claim) => publishPolicies(deps, changes, claim),
        () => `${section}/policies?kind=${kind}&language=${languages[0]}&done=saved`,
      );
    },
    (refusal) => templatePage(submission, { kind, typed, languages, refusal }),
  );
}

interface TemplateView {
  kind: TemplateKind;
  typed: Typed;
  languages: readonly string[];
  refusal?: DomainError;
}

function templatePage(visit: Visit, { kind, typed, languages, refusal }: TemplateView): Page {
  const frame = frameOf(visit);
  const t = textsOf(dashboardTexts('legal'), frame, dashboardTexts('faults'));
  const filled = { typed, locale: visit.locale };
  const { entries } = templates[kind];
  const faults = refusal ? refusedEntries(entries, refusal, { ...filled, t }) : [];
  const field = drawing({ ...filled, faults });
  const isLocked = !may(frame, dashboardCommands.brands.make_policy);
  const main = html`${faultSummary(faults, t)}
<form method="post" action="${`${section}/${kind}`}" novalidate>${formKeys(frame)}
${fieldCard(
  { title: t(`template.${kind}`), isLocked, isSpoken: true },
  html`<p class="lead">${t(`template.${kind}.lead`)}</p>
${Object.values(entries).map((entry) => field(entry))}`,
)}${fieldCard(
  { title: t('template.languages'), isLocked },
  locales.map((one) =>
    checkBox({
      id: `language_${one}`,
      name: 'languages',
      label: formatLanguage(one, t.locale),
      isChecked: languages.includes(one),
      value: one,
    }),
  ),
)}${!isLocked && html`<p class="submit"><button class="main" name="action" value="make_policy">${t('template.publish')}</button></p>`}</form>`;
  const above = { href: `${section}/policies?kind=${kind}`, label: t('policies') };
  const statusCode = faults.length > 0 ? 422 : 200;
  return dashboardAnswer(frame, { title: t(`template.${kind}`), section, above, main }, { statusCode });
}
