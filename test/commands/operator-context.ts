import {
  type OperatorClients,
  type OpsContext,
  type OpsOptions,
  openClients,
} from '../../infra/commands/ops/context.ts';
import { MerchantConfig } from '../../infra/merchant-config.ts';
import type { Stage } from '../../shared/domain/merchant.ts';

/** What AWS answers to a command, by the name of the command's class. */
export type Answers = Readonly<Record<string, (input: never) => unknown>>;

export const merchantOfTest = {
  id: 'shop',
  name: 'Shop',
  country: 'DE',
  live: true,
  address: ['1 Street', '10115 Berlin'],
  supportEmail: 'help@shop.example',
};

/** The prefix of each client's actions in a policy. */
const prefixes: Readonly<Record<keyof OperatorClients, string>> = {
  ...{
    cloudFormation: 'cloudformation',
    cloudFormationOfUsEast1: 'cloudformation',
    cloudWatch: 'cloudwatch',
    logs: 'logs',
    table: 'dynamodb',
    events: 'events',
  },
  ...{
    iam: 'iam',
    lambda: 'lambda',
    bucket: 's3',
    mail: 'ses',
    queues: 'sqs',
    identity: 'sts',
    quotas: 'servicequotas',
  },
};

/** Real clients that send nothing. Each call gets one of these answers and is noted. */
export function playedClients(answers: Answers) {
  const clients = openClients('eu-central-1');
  const sent: [string, unknown][] = [];
  /** The actions of IAM that the calls need. */
  const actions = new Set<string>();
  for (const [key, client] of Object.entries(clients) as [keyof OperatorClients, { send: unknown }][])
    client.send = async (command: { constructor: { name: string }; input: never }) => {
      const name = command.constructor.name.replace(/Command$/, '');
      sent.push([name, command.input]);
      actions.add(`${prefixes[key]}:${name}`);
      const answer = answers[name];
      if (!answer) throw new Error(`AWS is not played for ${name}.`);
      return answer(command.input);
    };
  return { clients, sent, actions };
}

interface ContextOptions {
  stage?: Stage;
  merchant?: object;
  settings?: object;
  options?: Partial<OpsOptions>;
}

/** The context of an operator's command for one merchant's stage. */
export function operatorContext(
  answers: Answers,
  { stage = 'live', merchant, settings, options }: ContextOptions = {},
) {
  const { clients, sent, actions } = playedClients(answers);
  const fields = { merchant: { ...merchantOfTest, ...merchant }, stages: { [stage]: settings ?? {} } };
  const config = MerchantConfig.parse(fields);
  const usual: OpsOptions = { yes: false, everything: false, errors: false };
  const context: OpsContext = {
    ...{ config, stage, clients, settings: config.stages[stage] },
    stackName: `tillstack-shop-${stage}`,
    options: { ...usual, ...options },
  };
  return { context, sent, actions, commandsSent: () => sent.map(([name]) => name) };
}
