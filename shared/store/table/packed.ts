import { deflateSync, inflateSync } from 'node:zlib';
import type { Item } from './write.ts';

/**
 * Texts that many payments and documents contain. With this dictionary, their rows stay within one write unit. It is
 * needed to read packed rows, so it must never change. A better dictionary must be added beside it, with the next
 * number.
 */
const dictionary =
  '{"kind":"CRN","series":"CRN-20","number":"CRN-20","id":"crn_","refundId":"ref_","invoice":{"number":"INV-20","issuedOn":"20"},' +
  '"quantity":null,"unitAmount":null,"relief":{"kind":"reverse_charge","phrase":"Reverse charge"},"card":null,"exemptions":[],' +
  '"paymentId":"pay_","currency":"EUR","brandName":"","seller":{"name":"","address":[""],"country":"","email":"@","taxIds":' +
  '[{"country":"","region":null,"scheme":null,"id":""}]},"buyer":{"name":"","businessName":null,"email":"@","address":' +
  '{"country":"","state":null,"city":"","street":"","zipcode":""},"taxId":null,"language":"en"},"place":{"country":"","region":null},' +
  '"taxDate":"20","exemptions":[],"relief":{"kind":"none"},"card":{"lastFour":"4242","network":"VISA"},"fxRate":null,"fxDate":null,' +
  '"kind":"INV","series":"INV-20","serial":1,"number":"INV-20","issuedAt":"20","issuedOn":"20","id":"inv_","refundId":null,' +
  '"paidOn":"20","lines":[{"productId":"pdt_","name":"","quantity":1,"unitAmount":0,"netUnitPrice":"0.00","taxInclusive":true,' +
  '"net":0,"tax":0,"gross":0,"components":[{"name":"VAT","jurisdiction":"","rate":"0.","baseFraction":"1","reason":null,"amount":0}]}],' +
  '"groups":[{"taxInclusive":true,"net":0,"tax":0,"gross":0,"components":[{"name":"VAT","jurisdiction":"","rate":"0.",' +
  '"baseFraction":"1","reason":null,"amount":0}]}],"net":0,"tax":0,"gross":0,"invoice":null,"reason":null}' +
  '"fee":{"amount":0,"currency":"EUR"},"reviewAt":"20","payAt":{"url":"https://checkout.stripe.com/c/pay/cs_live_","until":"20"},' +
  '"refunds":[{"id":"ref_","status":"succeeded","amount":0,"isPartial":true,"reason":null,"createdAt":"20"}],' +
  '"id":"pay_","sessionId":"cks_","brandId":"brnd_","processor":"sandbox","metadata":{},"currency":"EUR","documentSecret":"doc_",' +
  '"calculation":{"taxDate":"20","tableVersion":"20","country":"","region":null,"postalCode":null,"rows":["/standard/20"],' +
  '"registrations":[],"warnings":[]},"customer":{"id":"cus_","email":"@","name":"","phone":null},"billing":{"country":"","state":null,' +
  '"city":null,"street":null,"zipcode":null},"taxId":null,"businessName":null,"language":"en","evidence":{"items":[{"type":' +
  '"billing_address","country":"","region":null},{"type":"ip_address","country":"","region":null},{"type":"card_country",' +
  '"country":""}],"status":"one_only"},"reference":null,"createdAt":"20","updatedAt":"20","events":1,"version":2,"errorCode":null,' +
  '"errorMessage":null,"status":"succeeded","card":{"lastFour":"4242","network":"VISA","country":null},"net":0,"tax":0,"gross":0,' +
  '"refundable":0,"pending":0,"refunded":0,"disputed":0,"lines":[{"productId":"pdt_","name":"","description":"","taxCategory":' +
  '"digital_products","taxInclusive":true,"quantity":1,"unitAmount":0,"net":0,"tax":0,"gross":0,"components":[{"name":"VAT",' +
  '"jurisdiction":"","rate":"0.","baseFraction":"1","reason":null,"amount":0}],"refundable":0,"pending":0,"refunded":0,"disputed":0,' +
  '"returnedTax":0,"returnedComponents":[0]}],"refunds":[],"disputes":[],"transaction":"pi_","method":"card"}';

/** The number of the dictionary, written as the first byte of the packed data. */
const current = 1;
const dictionaries: ReadonlyMap<number, string> = new Map([[current, dictionary]]);

/** The dictionary, extended by the text of the row's list view. A list view and its object have much text in common. */
const nearBy = (number: number, near: string): Buffer => {
  const packedWith = dictionaries.get(number);
  if (packedWith === undefined) throw new Error('The row was packed by a later version.');
  return Buffer.from(packedWith + near);
};

/**
 * Packs an object into bytes for a row. The checksum makes a damaged object unreadable. So it is never read as another
 * object.
 */
export const pack = (value: unknown): Uint8Array => packText(JSON.stringify(value));

const packText = (text: string, near = ''): Uint8Array =>
  Buffer.concat([Buffer.of(current), deflateSync(text, { dictionary: nearBy(current, near) })]);

const textOf = (packed: Uint8Array, near = ''): string =>
  inflateSync(packed.subarray(1), { dictionary: nearBy(packed[0] ?? 0, near) }).toString('utf8');

/** Packs an object and its list view. The view is needed to unpack the object, so both are always written together. */
export function packBoth({ data, row }: { data: unknown; row: unknown }): { data: Uint8Array; row: Uint8Array } {
  const near = JSON.stringify(row);
  return { data: packText(JSON.stringify(data), near), row: packText(near) };
}

/**
 * Unpacks what `pack` has packed. It also accepts a plain map, as small objects and rows of earlier versions have it.
 */
export const unpacked = (stored: unknown): unknown =>
  stored instanceof Uint8Array ? JSON.parse(textOf(stored)) : stored;

/** The object in the `data` of a row, packed or not. */
export function dataIn({ data, row }: Item): unknown {
  if (!(data instanceof Uint8Array)) return data;
  return JSON.parse(textOf(data, row instanceof Uint8Array ? textOf(row) : ''));
}
