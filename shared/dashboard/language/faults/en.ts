/** What is wrong with a form, where the API speaks to programs. The other languages have the same keys and placeholders. */
export const faultsEn = {
  required: 'Fill in this field.',
  tooLong: 'Enter at most {most} characters.',
  length: 'Enter {least} to {most} characters.',
  characters: 'This field has characters that are not allowed.',
  cardNumber: 'Do not enter card numbers.',
  email: 'Enter an e-mail address, such as name@example.com.',
  address: 'Enter an https address.',
  day: 'Enter a day.',
  order: 'The end must be after the beginning.',
  keyEnd: 'Your own key ends before that day. Without a day, the new key ends with it.',
  region: 'Check the state or province: some countries need one, others have none.',
  scheme: 'The One-Stop Shop needs a member state of the European Union.',
  businesses: 'How businesses are taxed there is known. Leave it as the table has it.',
  taxId: 'This tax id is not valid in this country.',
  rate: 'Enter a rate in percent, and none where no tax is charged.',
  image: 'This image cannot be used. Choose a PNG, JPEG or WebP of at most 3 MB.',
  exists: 'There is one like this already, or something else changed it first. Look at the page again.',
  many: 'There are as many as are allowed. Remove one first.',
  gone: 'This can no longer be changed.',
  other: 'This entry is not valid. Check it, and try again.',
} as const;

export type FaultsKey = keyof typeof faultsEn;
