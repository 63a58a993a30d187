import { keys } from '../../shared/store/keys.ts';
import { supportedCountries } from '../../shared/tax/supported-countries.ts';
import { CountriesQuery } from '../../shared/wire/tax/tax-rules.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { now } from '../../shared/wiring/runtime.ts';
import { taxSettings } from '../../shared/wiring/selling.ts';

/** GET /checkout/supported_countries */
export const handler = endpoint(
  {
    access: 'read',
    query: CountriesQuery,
    needs: () => [keys.taxRules()],
    present: (countries: string[]) => countries,
  },
  async ({ query }) =>
    supportedCountries(query.categories, { settings: await taxSettings(), date: now().toISOString().slice(0, 10) }),
);
