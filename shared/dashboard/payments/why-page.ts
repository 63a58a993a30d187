import { isCalculationExact } from '../../domain/checkout/calculation.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { countryName, formatRate } from '../../pages/format.ts';
import { type Html, html } from '../../pages/html.ts';
import { evidenceFinding, evidenceRuleOf } from '../../tax/evidence-rule.ts';
import { explainRow } from '../../tax/explain.ts';
import type { TaxSettings } from '../../tax/rules/settings.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import type { DeclaredMovement } from '../../use-cases/reports/find-declared.ts';
import type { PaymentOverview } from '../../use-cases/reports/load-payment-overview.ts';
import { date, dayText } from '../dates.ts';
import { dashboardAnswer, type Frame } from '../frame.ts';
import { card, dataTable, facts, money } from '../parts.ts';
import { boxesOf } from '../returns/declared-boxes.ts';
import { type Texts, textsOf } from '../texts.ts';

const section = '/dashboard/payments';

interface WhyView extends Pick<PaymentOverview, 'payment' | 'documents' | 'refunds' | 'adjustments'> {
  settings: TaxSettings;
  declared: readonly DeclaredMovement[];
}

type WhyTexts = Texts<TextKey<'why'>>;

/**
 * The page that explains the tax of a sale to an auditor, step by step. It uses the facts that were stored with the
 * sale.
 */
export function whyPage(frame: Frame, view: WhyView) {
  const { payment } = view;
  const t = textsOf(dashboardTexts('why'), frame);
  const main = html`${whereCard(view, t)}
${whoCard(view, t)}
${ruleCard(payment, t)}
${sourcesCard(view, t)}
${papersCard(view, t)}`;
  const above = { href: `${section}/${payment.id}`, label: t('payment') };
  const title = t('title', { amount: money(payment.tax, payment.currency, t.locale) });
  return dashboardAnswer(frame, { title, section, above, main });
}

function whereCard({ payment, settings }: WhyView, t: WhyTexts): Html {
  const { calculation, evidence, lines } = payment;
  const { country, region, postalCode, taxDate } = calculation;
  const taxedIn = lines.find((line) => line.taxedIn !== undefined)?.taxedIn;
  const rule = evidenceRuleOf(payment, settings.merchantCountry);
  const words = textsOf(dashboardTexts('payment'), t);
  return card(
    { name: 'where', title: t('where') },
    html`${facts([
      [t('place'), [countryName(country, t.locale), region, postalCode].filter(Boolean).join(', ')],
      ...(taxedIn ? [[t('taxedIn'), t('taxedIn.home', { country: countryName(taxedIn, t.locale) })] as const] : []),
      [t('taxDate'), date(taxDate, t.locale)],
      ...evidence.items.map(({ type, country: at }) => [words(`evidence.${type}`), countryName(at, t.locale)] as const),
      [words('evidence'), words(`evidence.${evidenceFinding(evidence)}`)],
    ])}
${rule && html`<p class="hint">${words(`evidence.rule.${rule}`)}</p>`}`,
  );
}

function whoCard({ payment, settings }: WhyView, t: WhyTexts): Html {
  const { taxId, calculation } = payment;
  const { registrations, schemes } = calculation;
  const tax = textsOf(dashboardTexts('tax'), t);
  const registered = registrations.map((id, index) => {
    const known = settings.registrations.find((one) => one.id === id);
    const scheme = schemes?.[index] ?? known?.scheme;
    const place = known && [countryName(known.country, t.locale), known.region].filter(Boolean).join(', ');
    return html`${place ?? html`<code>${id}</code>`}${scheme && ` (${tax(`scheme.${scheme}`)})`}<br>`;
  });
  return card(
    { name: 'who', title: t('who') },
    facts([
      [t('seller'), countryName(settings.merchantCountry, t.locale)],
      [t('registrations'), registered.length > 0 ? html`${registered}` : t('registrations.none')],
      [t('buyer'), taxId ? t('buyer.business', { id: taxId.id, status: taxId.status }) : t('buyer.consumer')],
    ]),
  );
}

function ruleCard(payment: Payment, t: WhyTexts): Html {
  const tax = textsOf(dashboardTexts('tax'), t);
  const rows = payment.lines.flatMap((line) => line.components.map((component) => ({ line, component })));
  return card(
    { name: 'rule', title: t('rule') },
    dataTable(
      t('rule'),
      [
        {
          label: t('line'),
          cell: ({ line }) => html`${line.name}<span class="hint">${tax(`category.${line.taxCategory}`)}</span>`,
        },
        { label: t('tax'), cell: ({ component }) => `${component.name} ${component.jurisdiction}` },
        {
          label: t('rate'),
          isNumber: true,
          cell: ({ component: { rate, baseFraction, reason } }) =>
            html`${rate === null ? '–' : formatRate(rate, t.locale)}${baseFraction !== '1' && ` × ${baseFraction}`}${reason && html`<span class="hint"><code>${reason}</code></span>`}`,
        },
        { label: t('net'), isNumber: true, cell: ({ line }) => money(line.net, payment.currency, t.locale) },
        {
          label: t('amount'),
          isNumber: true,
          cell: ({ component }) => money(component.amount, payment.currency, t.locale),
        },
      ],
      rows,
    ),
  );
}

function sourcesCard({ payment, settings }: WhyView, t: WhyTexts): Html {
  const { rows, tableVersion, warnings, exemptions = [] } = payment.calculation;
  return card(
    { name: 'sources', title: t('sources') },
    html`${facts([
      [t('table'), tableVersion],
      [t('recomputed'), t(isCalculationExact(payment) ? 'recomputed.same' : 'recomputed.other')],
      [t('warnings'), warnings.length > 0 ? html`${warnings.map((one) => html`<code>${one}</code> `)}` : null],
      [t('exemptions'), exemptions.join('; ') || null],
    ])}
<ul class="remarks">${rows.map((id) => sourceOf(id, payment, settings, t))}</ul>`,
  );
}

/** A row of the rate table with its sources, or the merchant's own rate. */
function sourceOf(id: string, payment: Payment, { overrides }: TaxSettings, t: WhyTexts): Html {
  const explained = explainRow(id, payment);
  if (explained) {
    const { row, sources } = explained;
    const facts = `${row.effectiveFrom ?? ''}–${row.effectiveTo ?? ''}, ${row.confidence}`;
    return html`<li><code>${id}</code> <span class="hint" lang="en">${facts}${row.note && ` (${row.note})`}</span>
<ul class="hint" lang="en">${sources.map((source) => html`<li>${source}</li>`)}</ul></li>`;
  }
  const own = overrides.find((one) => one.id === id);
  return html`<li><code>${id}</code> <span class="hint">${own ? t('own', { reason: own.reason }) : t('unknown')}</span></li>`;
}

function papersCard({ payment, refunds, adjustments, settings, documents, declared }: WhyView, t: WhyTexts): Html {
  const returns = textsOf(dashboardTexts('returns'), t);
  return card(
    { name: 'papers', title: t('papers') },
    html`${
      documents.length === 0
        ? html`<p class="soft">${t('documents.none')}</p>`
        : html`<ul>${documents.map(({ number, subjectId }) => html`<li><a href="${`${section}/${payment.id}?document=${subjectId}`}">${number}</a></li>`)}</ul>`
    }
<h3 class="apart">${t('declared')}</h3>
${
  declared.length === 0
    ? html`<p class="soft">${t('declared.none')}</p>`
    : dataTable(
        t('declared'),
        [
          {
            label: t('what'),
            cell: ({ key, isLate }) =>
              html`<code>${key}</code>${isLate && html`<span class="hint">${t('late')}</span>`}`,
          },
          { label: t('return'), cell: ({ kind }) => returns(`kind.${kind}`) },
          { label: t('period'), cell: ({ from, to }) => `${dayText(from, t.locale)} – ${dayText(to, t.locale)}` },
          {
            label: t('box'),
            cell: (one) => html`<code>${boxesOf(one, { payment, refunds, adjustments, settings }).join(', ')}</code>`,
          },
        ],
        declared,
      )
}`,
  );
}
