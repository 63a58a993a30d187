import { describe, expect, it } from 'vitest';
import { mailReportRule, queueConsumer } from '../../../infra/endpoints.ts';
import { functionOf, resourcesOf, selling, statementsOf, synthesisOf, templateOf, theOnly } from '../synthesized.ts';

const mailing = templateOf(...selling);
const [setId = ''] = Object.keys(resourcesOf(mailing, 'AWS::SES::ConfigurationSet'));

describe('a report about the delivery of a mail', () => {
  it('is sent by SES to the default bus, except reports about opened mails', () => {
    const { Properties } = theOnly(mailing, 'AWS::SES::ConfigurationSetEventDestination');
    expect(Properties).toMatchObject({
      ConfigurationSetName: { Ref: setId },
      EventDestination: { MatchingEventTypes: ['delivery', 'bounce', 'complaint', 'reject'] },
    });
    expect(JSON.stringify(Properties.EventDestination.EventBridgeDestination)).toContain(':event-bus/default');
  });

  it('reaches only the stack that sent the mail, although the bus has the reports of the whole account', () => {
    const rules = Object.values(resourcesOf(mailing, 'AWS::Events::Rule')).map(({ Properties }) => Properties);
    const reports = rules.filter(({ EventPattern: pattern }) => pattern?.source?.includes('aws.ses'));
    const tags = { 'ses:configuration-set': [{ Ref: setId }], document: [{ exists: true }] };
    expect(reports.map(({ EventPattern }) => EventPattern)).toEqual([
      { source: ['aws.ses'], detail: { mail: { tags } } },
    ]);
    expect(reports[0]).not.toHaveProperty('EventBusName');
    expect(JSON.stringify(reports[0]?.['Targets'])).toContain('NoteMailReport');
  });

  it('covers every mail, because every function sends with the configuration set of its stack', () => {
    const { Environment } = functionOf(mailing, queueConsumer.function).Properties;
    expect(Environment.Variables['MAIL_CONFIGURATION_SET']).toEqual({ Ref: setId });
    const [send] = statementsOf(mailing, queueConsumer.function).filter(({ Action }) =>
      Action.includes('ses:SendEmail'),
    );
    expect(JSON.stringify(send?.Resource)).toMatch(new RegExp(`:configuration-set/",{"Ref":"${setId}"}`));
    expect(JSON.stringify(send?.Resource)).not.toContain('*');
  });

  it('is stored by a function that may update only documents', () => {
    const rights = statementsOf(mailing, mailReportRule.function).filter(
      ({ Action }) => !Action.join().startsWith('logs:'),
    );
    expect(rights.map(({ Action }) => Action)).toEqual([['dynamodb:UpdateItem']]);
    expect(rights[0]?.Condition?.['ForAllValues:StringLike']).toEqual({
      'dynamodb:LeadingKeys': ['DOCUMENT', 'DOCUMENT#*'],
    });
  });

  it('does not exist in a stack without an address for receipts', () => {
    const { templates } = synthesisOf('live');
    expect(JSON.stringify(templates)).not.toMatch(/AWS::SES|aws\.ses|NoteMailReport|MAIL_CONFIGURATION_SET/);
  });
});
