import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import type { CountedDiscount } from '../../domain/discounts/discount.ts';
import { type Html, html } from '../../pages/html.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dashboardAnswer, type Frame, may } from '../frame.ts';
import { card, dataTable, emptyState, pager } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { codeBadge, takesCell, untilCell, usesCell } from './discount-words.ts';

const commands = dashboardCommands.discounts;

export const discountsHome = '/dashboard/discounts';

interface DiscountListView {
  discounts: readonly CountedDiscount[];
  held: ReadonlyMap<string, number>;
  /** Whether the list shows only usable codes, or only unusable ones; undefined shows all. */
  active: boolean | undefined;
  /** Text that the code or the note must contain; empty shows all. */
  search: string;
  now: string;
  newest: string | undefined;
  older: string | undefined;
}

export function discountListPage(frame: Frame, view: DiscountListView) {
  const t = textsOf(dashboardTexts('discounts'), frame);
  const isEmpty = view.discounts.length === 0 && view.newest === undefined && view.older === undefined;
  const isFirst = isEmpty && view.active === undefined && view.search === '';
  const main = isFirst
    ? noCodes(frame, t)
    : html`${searchForm(view, t)}${tabs(view, t)}
${isEmpty ? emptyState(t(view.search === '' ? 'noneSuch.title' : 'noneFound.title'), t('noneSuch.text'), html`<a class="button second" href="${discountsHome}">${t('showAll')}</a>`) : card({}, html`${codeTable(frame, view, t)}${pager(view.newest, view.older, t)}`)}`;
  const actions =
    may(frame, commands.save) && !isFirst
      ? html`<a class="button" href="${discountsHome}/new">${t('new.button')}</a>`
      : undefined;
  return dashboardAnswer(frame, { title: t('nav./dashboard/discounts'), section: discountsHome, main, actions });
}

const noCodes = (frame: Frame, t: Texts<TextKey<'discounts'>>): Html =>
  emptyState(
    t('none.title'),
    t('none.text'),
    may(frame, commands.save) ? html`<a class="button" href="${discountsHome}/new">${t('none.button')}</a>` : undefined,
  );

function searchForm({ active, search }: DiscountListView, t: Texts<TextKey<'discounts'>>): Html {
  return html`<form class="filters" method="get" role="search" aria-label="${t('nav./dashboard/discounts')}">${active !== undefined && html`<input type="hidden" name="active" value="${String(active)}">`}
<div class="field wide"><label for="q">${t('search')}</label><input id="q" name="q" type="search" value="${search}" maxlength="100" autocapitalize="off" spellcheck="false" aria-describedby="q-hint"><p class="hint" id="q-hint">${t('search.hint')}</p></div>
<p class="actions"><button class="second">${t('search.button')}</button></p></form>`;
}

function tabs({ active, search }: DiscountListView, t: Texts<TextKey<'discounts'>>): Html {
  const address = (value: boolean | undefined) => {
    const query = new URLSearchParams({
      ...(value !== undefined && { active: String(value) }),
      ...(search !== '' && { q: search }),
    });
    return query.size === 0 ? discountsHome : `${discountsHome}?${query}`;
  };
  const tab = (key: 'all' | 'active' | 'ended', value: boolean | undefined) =>
    html`<a href="${address(value)}"${active === value && html` aria-current="true"`}>${t(`tab.${key}`)}</a>`;
  return html`<nav class="tabs" aria-label="${t('tabs.label')}">${tab('all', undefined)}${tab('active', true)}${tab('ended', false)}</nav>`;
}

const codeTable = (frame: Frame, { discounts, held, now }: DiscountListView, t: Texts<TextKey<'discounts'>>): Html =>
  dataTable<CountedDiscount>(
    t('nav./dashboard/discounts'),
    [
      {
        label: t('column.code'),
        cell: ({ discount: { id, code, name } }) =>
          html`<a class="leads" href="${discountsHome}/${id}"><strong dir="ltr">${code}</strong></a>${name && html`<span class="hint" dir="auto">${name}</span>`}`,
      },
      { label: t('column.takes'), cell: ({ discount }) => takesCell(discount, frame.locale, t) },
      {
        label: t('column.uses'),
        isNumber: true,
        cell: (counted) => usesCell(counted, held.get(counted.discount.id) ?? 0, frame.locale, t),
      },
      { label: t('column.until'), cell: ({ discount }) => untilCell(discount, frame.locale, t) },
      { label: t('column.state'), cell: (counted) => codeBadge(counted, now, t) },
    ],
    discounts,
  );
