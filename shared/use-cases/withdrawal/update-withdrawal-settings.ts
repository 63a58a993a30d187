import type { Claim } from '../../domain/idempotency.ts';
import type { WithdrawalSettings } from '../../domain/withdrawal/withdrawal-settings.ts';
import type { BrandStore } from '../../store/catalogue/brand-store.ts';
import { retryStale } from '../retry.ts';

export interface UpdateWithdrawalSettingsDeps {
  brands: Pick<BrandStore, 'get' | 'save'>;
}

/** Changes the merchant's settings about withdrawals of consumers. The audit log stores who changed them. */
export const updateWithdrawalSettings = (
  deps: UpdateWithdrawalSettingsDeps,
  settings: Required<WithdrawalSettings>,
  claim: Claim<WithdrawalSettings>,
): Promise<WithdrawalSettings> =>
  retryStale(async () => {
    const brands = await deps.brands.get();
    const details = { isOff: settings.isOff, refundsByItself: settings.refundsByItself };
    const records = claim(settings, { command: 'withdrawal_settings.update', subject: 'withdrawal', details });
    await deps.brands.save({ ...brands, withdrawal: settings }, records);
    return settings;
  });
