import { type WordsByField, wordsIn } from '../answers/words-in.ts';
import { licenseAnswers } from './license-answer.ts';

const license = wordsIn(licenseAnswers.LicenseKey);
const key = 'The licence key. Keys that were made here are found in any case and spacing, imported ones exactly.';
const name = 'A name for the device, such as the host name. The merchant and the buyer see it.';
const instance = 'The id of the instance, from its activation.';

/** The descriptions of the input fields of licence keys. A field that an answer also has gets the same description. */
export const licenseInputWords: Readonly<Record<string, WordsByField>> = {
  ActivateInput: { license_key: key, name },
  DeactivateInput: { license_key: key, license_key_instance_id: instance },
  ValidateInput: { license_key: key, license_key_instance_id: `${instance} Without it, only the key is checked.` },
  LicenseKeyInput: { ...license, key: 'The key of the earlier system. Nobody can have it twice.' },
  LicenseKeyChangeInput: { ...license, disabled: 'Whether the key is disabled. `null` changes nothing.' },
  ReissueInput: {
    key: 'The new key. Without it, one is made, or taken from the pool. Required with `fulfillment_mode` `manual`, unless there is a pool.',
  },
  InstanceChangeInput: { name },
};
