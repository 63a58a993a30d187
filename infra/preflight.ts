import { type CheckLine, fulfilled, lacks, remark, warns } from '../shared/domain/check-line.ts';
import type { Merchant, Stage } from '../shared/domain/merchant.ts';
import { hasWords } from '../shared/domain/places/address-lines.ts';
import { namingExample } from '../shared/outside/processor/registry.ts';
import { isCountry } from '../shared/tax/places/countries.ts';
import type { MerchantConfig } from './merchant-config.ts';
import type { StageSettings } from './stage-settings.ts';

interface Shop {
  merchant: Merchant;
  settings: StageSettings;
  /** The path of the merchant's file, such as `infra/merchants/demo.json`. */
  file: string;
}

/** A line about a setting. If the setting is missing, it contains advice. */
const unless = (isThere: boolean, text: string, otherwise: CheckLine): CheckLine =>
  isThere ? fulfilled(text) : otherwise;

/**
 * Lists what the merchant's file lacks for a stage. It does not call AWS. `missing` lines stop a live deployment,
 * because it would fail in the middle or be in the wrong region. `warning` lines allow it, and say what it will not do.
 */
export function checkSettings({ merchant, stages }: MerchantConfig, stage: Stage): CheckLine[] {
  const shop = { merchant, settings: stages[stage], file: `infra/merchants/${merchant.id}.json` };
  const everywhere = [checkCountry(shop), ...checkCertificate(shop)];
  if (stage === 'sandbox') return [...everywhere, ...sandboxRegion(shop)];
  return [...everywhere, checkRegion(shop), ...checkSeller(shop), ...checkPayments(shop), checkAlarms(shop)];
}

const checkCountry = ({ merchant, file }: Shop): CheckLine =>
  unless(
    isCountry(merchant.country),
    `the merchant is in ${merchant.country}`,
    lacks(`${merchant.country} is no country: set merchant.country in ${file} to an ISO 3166-1 code, such as DE`),
  );

const checkRegion = ({ settings, file }: Shop): CheckLine =>
  unless(
    settings.region !== undefined,
    `the stack is in ${settings.region}`,
    lacks(
      `no region: add "region": "eu-central-1", or yours, to stages.live in ${file}. Without it, "cdk deploy" takes the region of the environment, and another one creates a second, empty stack`,
    ),
  );

const sandboxRegion = ({ settings }: Shop): CheckLine[] =>
  settings.region ? [fulfilled(`the stack is in ${settings.region}`)] : [remark('the region is the environment’s')];

/**
 * Checks the region of the certificate. API Gateway needs one in its own region, and CloudFront needs one in us-east-1.
 */
function checkCertificate({ settings, file }: Shop): CheckLine[] {
  const { customDomain, protection, region } = settings;
  if (!customDomain) return [];
  const { domainName, certificateArn } = customDomain;
  const needed = protection ? 'us-east-1' : region;
  const [, , , there = ''] = certificateArn.split(':');
  if (needed === undefined)
    return [warns(`the certificate of ${domainName} is in ${there}: set the stage's region in ${file} to the same`)];
  return [
    unless(
      there === needed,
      `the certificate of ${domainName} is in ${there}`,
      lacks(
        `the certificate of ${domainName} is in ${there}, but must be in ${needed}: request one there in ACM, and set customDomain.certificateArn in ${file}`,
      ),
    ),
  ];
}

const checkSeller = ({ merchant, file }: Shop): CheckLine[] => [
  unless(
    merchant.live,
    'the live stack answers calls',
    warns(
      `"live" is false, so the live stack answers no call: set merchant.live in ${file} to true before the first sale`,
    ),
  ),
  unless(
    merchant.address.length > 0,
    'invoices show the merchant’s address',
    warns(`no address, without which an invoice is not valid: set merchant.address in ${file}`),
  ),
  ...[merchant.city, merchant.postalCode].flatMap((part) =>
    part === undefined || merchant.address.some((line) => hasWords(line, part))
      ? []
      : [warns(`no line of merchant.address has ${part}, so invoices do not print it: add it in ${file}`)],
  ),
  unless(
    merchant.supportEmail !== undefined,
    `buyers are told ${merchant.supportEmail} for help`,
    warns(`no support address for buyers: set merchant.supportEmail in ${file}`),
  ),
  unless(
    merchant.supportPhone !== undefined,
    `buyers can call ${merchant.supportPhone}`,
    remark(`no telephone number, which consumers in Europe must be told: set merchant.supportPhone in ${file}`),
  ),
  unless(
    merchant.receipts !== undefined,
    `mails are sent from ${merchant.receipts?.from}`,
    remark(
      `no sender of mails, so no sale is confirmed and consumers in Europe keep their right of withdrawal: set merchant.receipts in ${file}`,
    ),
  ),
  merchant.taxId === undefined
    ? remark(`no tax ID: set merchant.taxId in ${file} if the merchant has one, because invoices must show it`)
    : fulfilled(`invoices show the tax ID ${merchant.taxId}`),
];

const checkPayments = ({ settings, file }: Shop): CheckLine[] => [
  unless(
    settings.processor !== undefined,
    `payments are taken by ${settings.processor?.name}`,
    warns(`no processor, so the live stack sells nothing: add ${namingExample} to stages.live in ${file}`),
  ),
];

const checkAlarms = ({ settings, file }: Shop): CheckLine =>
  unless(
    settings.alarmEmail !== undefined || settings.alarmTopicArn !== undefined,
    `alarms are sent to ${settings.alarmEmail ?? settings.alarmTopicArn}`,
    warns(`no address for alarms, so nothing wakes anybody: add "alarmEmail" to stages.live in ${file}`),
  );
