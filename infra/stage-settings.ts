import * as z from 'zod';
import { closedRegisters } from '../shared/domain/register-secrets.ts';
import { processorNames } from '../shared/outside/processor/registry.ts';
import { dispatchRule, queueConsumer, schedules, streamConsumer } from './endpoints.ts';
import { words } from './merchant-words.ts';

/**
 * The retention periods that CloudWatch Logs allows, in days. A test compares them with the CDK's list. Importing the
 * CDK here would be slow.
 */
export const retentionDays = [
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** The limit of requests. The gateway answers more requests with 429. */
const Throttle = z.strictObject({
  ratePerSecond: z
    .int()
    .min(1)
    .max(10_000)
    .meta({ ...words('Requests a second.', 'everyone who sets a throttle') }),
  burst: z
    .int()
    .min(1)
    .max(5_000)
    .meta({ ...words('Requests at once.', 'everyone who sets a throttle') }),
});

/**
 * The limit of other routes is divided by this number for routes that write without a key. 250 payments a second write
 * about 3,000 units, and a new table accepts 4,000. A total writes nothing, and buyers ask for several, so it keeps the
 * limit of other routes.
 */
export const publicWriteDivisor = 4;

/** The names of the asynchronous functions. */
const workers = [streamConsumer, dispatchRule, queueConsumer, ...schedules].map((line) =>
  line.function.replace(/.*\//, ''),
);

/** The default concurrency of an account in a region. Some accounts have more, and new accounts have less. */
const usualConcurrency = 1_000;
/** The concurrency that Lambda always leaves for functions without a reservation. */
const leastUnreserved = 100;

/** The groups of stacks that `npm run fleet` deploys one after the other. */
export const rings = ['canary', 'first', 'rest'] as const;

const settings = z.strictObject({
  throttle: Throttle.default({ ratePerSecond: 1_000, burst: 500 }).meta({
    ...words('How often each route of the API may be called.', 'merchants with a rush, or whose callers flood the API'),
  }),
  logRetentionDays: z
    .int()
    .refine(
      (days) => retentionDays.includes(days),
      'must be a period that CloudWatch supports, such as 7, 14, 30, 90 or 365',
    )
    .default(30)
    .meta({ ...words('After how many days a log line is removed.', 'merchants who must keep logs longer') }),
  alarmEmail: z
    .email()
    .optional()
    .meta({ ...words('Who receives the alarms. Absent: they ring unheard.', 'everyone who sells live') }),
  alarmTopicArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/, 'must be the ARN of an SNS topic')
    .optional()
    .meta({
      ...words(
        'An SNS topic of yours that receives the alarms too. Its policy must let `cloudwatch.amazonaws.com` publish.',
        'teams with a pager or a chat',
      ),
    }),
  customDomain: z
    .strictObject({
      domainName: z
        .hostname()
        .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a lower-case name with a dot, such as pay.example.com')
        .meta({ ...words('The name, such as pay.example.com.', 'everyone with a domain') }),
      certificateArn: z
        .string()
        .regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/, 'must be the ARN of an ACM certificate')
        .meta({
          ...words(
            'The ARN of its certificate in ACM, in the stack’s region, or in us-east-1 with protection.',
            'everyone with a domain',
          ),
        }),
    })
    .optional()
    .meta({
      ...words('The merchant’s own domain. Absent: the address is AWS’s, and changes with the stack.', 'live stacks'),
    }),
  tracing: z
    .boolean()
    .default(false)
    .meta({ ...words('X-Ray traces of every function, at their price.', 'merchants who look for a slow call') }),
  region: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region, such as eu-central-1')
    .optional()
    .meta({ ...words('The only region in which the stack is deployed.', 'every live stage; it is required there') }),
  account: z
    .string()
    .regex(/^\d{12}$/, 'must be the 12 digits of an AWS account')
    .optional()
    .meta({
      ...words(
        'The only AWS account in which the stack is deployed. Absent: that of the credentials.',
        'merchants with several accounts, such as one for each stage',
      ),
    }),
  role: z
    .string()
    .regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/, 'must be the ARN of a role')
    .optional()
    .meta({
      ...words(
        'The ARN of the role that `npm run fleet` takes for this stack. Absent: the caller’s own credentials.',
        'those who deploy many merchants, with several accounts',
      ),
    }),
  ring: z
    .enum(rings, `must be ${rings.map((ring) => `"${ring}"`).join(' or ')}`)
    .optional()
    .meta({
      ...words(
        'When `npm run fleet` deploys this stack: all of `canary`, then all of `first`, then the rest. Absent: `rest`.',
        'those who deploy many merchants',
      ),
    }),
  permissionsBoundary: z
    .string()
    .regex(/^arn:aws[a-z-]*:iam::\d{12}:policy\/[\w+=,.@/-]+$/, 'must be the ARN of a managed policy')
    .optional()
    .meta({
      ...words(
        'The ARN of the policy that limits every role of the stack.',
        'accounts that allow roles only with a boundary',
      ),
    }),
  eventRuleAccounts: z
    .array(z.string().regex(/^\d{12}$/, 'must be the 12 digits of an AWS account'))
    .min(1)
    .optional()
    .meta({
      ...words(
        'The other AWS accounts that may put rules on the event bus. Absent: none.',
        'merchants whose other systems have an account of their own',
      ),
    }),
  encryptionKeyArn: z
    .string()
    .regex(/^arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, 'must be the ARN of a KMS key, not of an alias')
    .optional()
    .meta({
      ...words(
        'The ARN of an own KMS key of the stack’s region for the table and the bucket. Absent: keys of AWS. Who removes the key removes the data.',
        'merchants who must hold the key themselves',
      ),
    }),
  protection: z
    .literal('waf', 'must be "waf", or left out')
    .optional()
    .meta({
      ...words(
        'A distribution in front of the API that limits each address. Absent: one caller can use up the limits of all callers.',
        'live stacks that others may flood',
      ),
    }),
  originSecretVersion: z
    .int()
    .min(1)
    .optional()
    .meta({
      ...words(
        'Add 1 and deploy to rotate the secret between the distribution and the API. Absent: 1.',
        'stages with protection',
      ),
    }),
  reservedConcurrency: z
    .partialRecord(z.enum(workers), z.int().min(2))
    .optional()
    .meta({
      ...words(
        'How many instances of a worker Lambda can always start. Absent: nothing is reserved.',
        'accounts that other applications share',
      ),
    }),
  documentWorkers: z
    .int()
    .min(2)
    .max(20)
    .optional()
    .meta({
      ...words(
        'How many workers issue documents at once. Each issues and mails about 20 a second, at the same price for each document. Absent: as many as are reserved, or a tenth of `accountConcurrency`, at least 2 and at most 10.',
        'merchants who expect more than 200 sales a second',
      ),
    }),
  processor: z
    .strictObject({
      name: z
        .enum(processorNames, `must be ${processorNames.map((name) => `"${name}"`).join(' or ')}`)
        .meta({ ...words('The name of the processor.', 'every stage with a processor') }),
    })
    .optional()
    .meta({
      ...words(
        'Who moves the money. Absent: test cards in the sandbox, no payments in live. Its secrets are never in this file.',
        'everyone who sells live',
      ),
    }),
  exchangeRatesUrl: z
    .url({ protocol: /^https$/, error: 'must be an https address' })
    .default('https://www.ecb.europa.eu/stats/eurofxref')
    .meta({
      ...words(
        'The folder of the European Central Bank’s files eurofxref-daily.xml and eurofxref-hist-90d.xml, or of a copy.',
        'accounts that may not reach the bank',
      ),
    }),
  registers: z
    .array(z.enum(closedRegisters, `must be ${closedRegisters.map((name) => `"${name}"`).join(' or ')}`))
    .optional()
    .meta({
      ...words(
        'The registers of tax IDs for which the merchant has credentials, which are never in this file.',
        'merchants who sell to businesses in the United Kingdom or Australia',
      ),
    }),
  accountConcurrency: z
    .int()
    .min(10)
    .optional()
    .meta({
      ...words(
        'How many functions the account starts at once, as `npm run ops -- check` says. Absent: 1,000.',
        'stages with reservedConcurrency, and accounts that start fewer than 100',
      ),
    }),
});

const sumOf = (reserved: Readonly<Record<string, number | undefined>>): number =>
  Object.values(reserved).reduce<number>((sum, each = 0) => sum + each, 0);

/** Reports an error if Lambda would refuse the reserved concurrency in a deployment. */
function refuseTooMuchReserved(
  { reservedConcurrency = {}, accountConcurrency = usualConcurrency }: z.output<typeof settings>,
  context: z.core.$RefinementCtx,
): void {
  const [reserved, most] = [sumOf(reservedConcurrency), Math.max(0, accountConcurrency - leastUnreserved)];
  if (reserved <= most) return;
  const message = `adds up to ${reserved}, but can be at most ${most}, because the account has ${accountConcurrency} and Lambda keeps ${leastUnreserved} unreserved`;
  context.addIssue({ code: 'custom', path: ['reservedConcurrency'], message });
}

/** The most calls of the worker of documents that run at once, if the merchant's file says nothing about it. */
const usualDocumentWorkers = 10;

/** The worker of documents, as `reservedConcurrency` names it. */
const documentWorker = 'issue-documents';

type Concurrency = Pick<z.output<typeof settings>, 'documentWorkers' | 'reservedConcurrency' | 'accountConcurrency'>;

/**
 * How many calls of the worker of documents may run at once: never more than Lambda has reserved for it, and in a small
 * account a tenth of its functions, so that a rush leaves the others to the checkout.
 */
export const documentWorkersOf = ({
  documentWorkers,
  reservedConcurrency,
  accountConcurrency = usualConcurrency,
}: Concurrency): number =>
  documentWorkers ??
  reservedConcurrency?.[documentWorker] ??
  Math.min(usualDocumentWorkers, Math.max(2, Math.floor(accountConcurrency / 10)));

/** Reports an error if Lambda would refuse calls of the workers of documents, because fewer are reserved. */
function refuseUnreservedWorkers(
  { documentWorkers = 0, reservedConcurrency }: Concurrency,
  context: z.core.$RefinementCtx,
): void {
  const reserved = reservedConcurrency?.[documentWorker] ?? documentWorkers;
  if (documentWorkers <= reserved) return;
  const message = `is more than the ${reserved} that reservedConcurrency allows ${documentWorker}: raise that, or leave this out`;
  context.addIssue({ code: 'custom', path: ['documentWorkers'], message });
}

/** The settings that can differ between the sandbox and the live stack of a merchant. */
export const StageSettings = settings
  .superRefine(refuseTooMuchReserved)
  .superRefine(refuseUnreservedWorkers)
  .refine(({ role, account }) => !role || !account || role.split(':')[4] === account, {
    error: 'must be a role of the stage’s account',
    path: ['role'],
  })
  .refine(({ protection, region }) => !protection || region, {
    error:
      'is required with protection, because the web ACL is in us-east-1 and the stack that uses it must know its own region',
    path: ['region'],
  })
  .refine(
    ({ protection, customDomain }) =>
      !protection || !customDomain || /:acm:us-east-1:/.test(customDomain.certificateArn),
    {
      error: 'must be in us-east-1 with protection, because CloudFront accepts no other region',
      path: ['customDomain', 'certificateArn'],
    },
  );
export type StageSettings = z.infer<typeof StageSettings>;
