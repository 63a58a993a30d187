import { dashboardCommands } from '../../domain/access/dashboard-commands.ts';
import { unionCountries } from '../../domain/places/union-countries.ts';
import { type Html, html } from '../../pages/html.ts';
import { vatCountryOf } from '../../tax/places/tax-areas.ts';
import { boundUntil, homeLimit, homeTotalOf, noHomeSales, roomAtHome } from '../../tax/rules/small-seller.ts';
import { isRegisteredFor } from '../../tax/thresholds.ts';
import { dashboardTexts, type TextKey } from '../../texts/texts.ts';
import { dayText } from '../dates.ts';
import { type Frame, may } from '../frame.ts';
import { badge, card, facts, formKeys, guarded, money } from '../parts.ts';
import { type Texts, textsOf } from '../texts.ts';
import { smallSellerEntries as entries, smallSellerForm } from './tax-entries.ts';
import { drawnForm } from './tax-fields.ts';
import type { TaxView } from './tax-view.ts';

const commands = dashboardCommands.taxes;

const section = '/dashboard/tax';

/**
 * The card for small sellers in the Union, who tax small cross-border sales in their own country. Other merchants do
 * not see it.
 */
export function smallSellerCard(frame: Frame, view: TaxView): Html {
  const { settings } = view;
  if (!unionCountries.has(vatCountryOf(settings.merchantCountry))) return html``;
  const t = textsOf(dashboardTexts('tax'), frame);
  return card(
    { name: 'small-seller', title: t('smallSeller') },
    html`<p class="lead">${t('smallSeller.lead')}</p>
<p class="hint">${t('smallSeller.limits')}</p>
${stateOf(view, t)}
${may(frame, commands.state_small_seller) && statement(frame, view, t)}
${isHeld(view) && guarded(frame, t('smallSeller.leave'), t('smallSeller.leave.text'), { to: section, action: 'leave_small_seller', needs: commands.leave_small_seller, label: t('smallSeller.leave') })}`,
  );
}

const isHeld = ({ settings: { smallSeller }, today }: TaxView): boolean =>
  smallSeller !== undefined && (smallSeller.until === undefined || today < smallSeller.until);

/** The place in which small sales are taxed now, and how much of the limit is used. */
function stateOf(view: TaxView, t: Texts<TextKey<'tax'>>): Html {
  const { settings, today } = view;
  const { smallSeller: rule, homeSales = noHomeSales, registrations } = settings;
  if (!rule) return html`<p class="soft">${t('smallSeller.off')}</p>`;
  if (!isHeld(view))
    return html`<p class="soft">${t('smallSeller.left', { from: dayText(rule.until ?? '', t.locale), until: dayText(boundUntil(rule) ?? '', t.locale) })}</p>`;
  const year = today.slice(0, 4);
  const totals = [String(Number(year) - 1), year].map((one): [string, Html] => [
    one,
    html`${t('smallSeller.of', { amount: money(homeTotalOf(rule, homeSales, one), 'EUR', t.locale), limit: money(homeLimit, 'EUR', t.locale) })}`,
  ]);
  const isAtHome = roomAtHome(rule, homeSales, today) !== undefined;
  return html`<p>${isAtHome ? badge('at home', 'good', t('smallSeller.atHome')) : badge('abroad', 'wait', t('smallSeller.abroad'))}</p>
${facts(totals)}
${
  !isRegisteredFor('EU', registrations) &&
  settings.collectPolicy === 'registered_only' &&
  html`<p class="note wait">${t('smallSeller.noOss')}</p>`
}`;
}

function statement(frame: Frame, { settings, today, refused }: TaxView, t: Texts<TextKey<'tax'>>): Html {
  const { elsewhere = {} } = settings.smallSeller ?? {};
  const year = today.slice(0, 4);
  const json = {
    currency: 'EUR',
    is_one_state: settings.smallSeller !== undefined,
    last_year: elsewhere[String(Number(year) - 1)] ?? 0,
    this_year: elsewhere[year] ?? 0,
  };
  const shown = { action: 'state_small_seller', json };
  const { isRefused, field } = drawnForm(smallSellerForm, shown, { refused, locale: frame.locale });
  return html`<details${isRefused && html` open`}><summary>${t(settings.smallSeller ? 'change' : 'smallSeller.start')}</summary>
<form method="post" action="${section}" novalidate>${formKeys(frame)}${field(entries.currency)}
${field(entries.isOneState)}
<div class="pair">${field(entries.lastYear)}${field(entries.thisYear)}</div>
<p class="submit"><button class="main" name="action" value="state_small_seller">${t('smallSeller.save')}</button></p></form></details>`;
}
