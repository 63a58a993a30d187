import { type WordsByField, wordsIn } from '../answers/words-in.ts';
import { entitlementAnswers } from './entitlement-answer.ts';

const entitlement: WordsByField = {
  ...wordsIn(entitlementAnswers.Entitlement),
  integration_config: 'What it gives, in the fields of its `integration_type`. Others are refused.',
  digital_file_ids: 'The ids of its files in their new order. Files that are left out are removed.',
  file_names:
    'New names of its files, by their ids. Earlier buyers see them too. Files that are not named keep theirs.',
  downloads_limit: 'How often a buyer can download each file; null: without limit.',
  external_url: 'An https address that is shown beside the files. Null: none.',
  legacy_file_ids: 'Must be empty or left out: upload the files to the entitlement.',
};

/** The descriptions of the input fields of entitlements. A field that an answer also has gets the same description. */
export const entitlementInputWords: Readonly<Record<string, WordsByField>> = {
  EntitlementInput: { ...entitlement, digital_file_ids: 'Must be empty: files are uploaded to an entitlement.' },
  EntitlementChangeInput: entitlement,
  FileInput: {
    file_name: 'The name under which buyers save it, at most 255 bytes, without a folder. Default: its id.',
    content_type: 'Its content type. It is only shown: buyers always save the file, and no browser opens it.',
    file_size: 'Its size in bytes, at most 5 GB. The upload then takes exactly that many.',
    checksum_sha256: 'The SHA-256 of its bytes, in hexadecimal digits. The upload then takes exactly these bytes.',
  },
  CodesInput: { codes: 'Codes of somebody else’s, at most 1,000. Each buyer gets one, and no code twice.' },
  GrantKeyInput: {
    ...wordsIn(entitlementAnswers.EntitlementGrant, ''),
  },
};
