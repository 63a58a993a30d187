import { keys } from '../../shared/store/keys.ts';
import { addingOverride, changeTaxRules } from '../../shared/use-cases/change-tax-rules.ts';
import { OverrideInput, presentOverride } from '../../shared/wire/tax/tax-rules.ts';
import { endpoint } from '../../shared/wiring/endpoint.ts';
import { newId, now, taxRules } from '../../shared/wiring/runtime.ts';

const deps = { taxRules: taxRules(), now };

/** POST /tax/overrides */
export const handler = endpoint(
  { access: 'admin', body: OverrideInput, idempotent: true, needs: () => [keys.taxRules()], present: presentOverride },
  async ({ body, claim }) => {
    const override = { ...body, id: newId('ovr') };
    await changeTaxRules(deps, addingOverride(override), (_, command) => claim(override, command));
    return override;
  },
);
