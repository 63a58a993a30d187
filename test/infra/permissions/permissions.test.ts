import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { functionNames } from '../../../infra/function-names.ts';
import { selling, templateOf } from '../synthesized.ts';
import { permissionFaults, union } from './faults.ts';
import { allowedFile, permissionsFor } from './permission.ts';
import { allowedByRoles, allowedTo } from './roles.ts';

const template = templateOf(...selling);

describe('a role, written in the format of recorded calls,', () => {
  it('lists what its function may do with rows, objects, the bus and mails', () => {
    expect(allowedTo(template, 'products/update-product').sort()).toEqual([
      'dynamodb:BatchGetItem table BRAND',
      'dynamodb:BatchGetItem table ENTITLEMENT',
      'dynamodb:BatchGetItem table IDEM',
      'dynamodb:BatchGetItem table KEY',
      'dynamodb:BatchGetItem table PRODUCT',
      'dynamodb:PutItem table AUDIT',
      'dynamodb:PutItem table ENTITLEMENT',
      'dynamodb:PutItem table IDEM',
      'dynamodb:PutItem table PRODUCT',
      'dynamodb:UpdateItem table FIELD',
      's3:DeleteObject files/',
      's3:DeleteObject uploads/',
      's3:GetObject files/',
      's3:GetObject uploads/',
      's3:PutObject images/',
    ]);
    for (const name of ['dashboard/manage-products', 'dashboard/manage-brands'])
      expect(allowedTo(template, name).filter((one) => one.startsWith('s3:'))).toEqual(['s3:PutObject images/']);
    expect(allowedTo(template, 'events/list-events')).toContain('dynamodb:Query index/list EVENT');
    expect(allowedTo(template, 'events/relay-events')).toEqual(['events:PutEvents bus', 'sqs:SendMessage documents']);
    expect(allowedTo(template, 'documents/issue-documents')).toContain('ses:SendEmail');
    expect(allowedTo(template, 'checkout/pay-checkout')).toContain('ssm:GetParameter key');
    expect(allowedTo(template, 'routing/refuse-route')).toEqual([]);
  });

  it('is saved for the comparison at the end of the run', () => {
    const allowed = allowedByRoles();
    expect(Object.keys(allowed).length).toBeGreaterThan(functionNames.length);
    writeFileSync(join(inject('recordings'), allowedFile), JSON.stringify(allowed));
  });

  it('omits only the rights that Lambda itself uses', () => {
    for (const name of functionNames)
      for (const permission of allowedTo(template, name))
        expect(permission).toMatch(
          /^(dynamodb:(BatchGetItem|Query|PutItem|UpdateItem) (table|index\/(list|due|customer)) [A-Z]+|s3:(Get|Put|Delete)Object (uploads|images|exports|files)\/|ssm:GetParameter (key|signing-secrets)|events:PutEvents bus|sqs:(SendMessage|GetQueueAttributes) documents|ses:(SendEmail|GetAccount))$/,
        );
  });
});

describe('a call, written in the format of recorded calls,', () => {
  it.each([
    ['GetItemCommand', { Key: { pk: 'KEY#a1', sk: 'KEY' } }, ['dynamodb:GetItem table KEY']],
    ['GetItemCommand', { Key: { pk: { S: 'TAX' } } }, ['dynamodb:GetItem table TAX']],
    [
      'BatchGetItemCommand',
      { RequestItems: { t: { Keys: [{ pk: 'PAYMENT#1' }, { pk: 'EVENT#1' }, { pk: 'PAYMENT#2' }] } } },
      ['dynamodb:BatchGetItem table PAYMENT', 'dynamodb:BatchGetItem table EVENT'],
    ],
    ['UpdateItemCommand', { Key: { pk: 'EVENT#1', sk: 'DELIVERY#2' } }, ['dynamodb:UpdateItem table EVENT']],
    [
      'QueryCommand',
      {
        KeyConditionExpression: 'pk = :pk AND begins_with(sk, :d)',
        ExpressionAttributeValues: { ':pk': 'EVENT#1', ':d': 'DELIVERY#' },
      },
      ['dynamodb:Query table EVENT'],
    ],
    [
      'QueryCommand',
      {
        IndexName: 'customer',
        KeyConditionExpression: '#p = :partition AND #s BETWEEN :a AND :b',
        ExpressionAttributeValues: { ':partition': 'CUSTOMER#1#REFUND' },
      },
      ['dynamodb:Query index/customer CUSTOMER'],
    ],
    [
      'TransactWriteItemsCommand',
      {
        TransactItems: [
          { Put: { Item: { pk: 'IDEM#1' } } },
          { Update: { Key: { pk: 'PAYMENT#1' } } },
          { Delete: { Key: { pk: 'X#1' } } },
        ],
      },
      ['dynamodb:PutItem table IDEM', 'dynamodb:UpdateItem table PAYMENT', 'dynamodb:DeleteItem table X'],
    ],
    ['HeadObjectCommand', { Key: 'uploads/pdt_1/a' }, ['s3:GetObject uploads/']],
    ['PutEventsCommand', {}, ['events:PutEvents bus']],
    ['ScanCommand', {}, ['ScanCommand is not known to test/infra/permissions/permission.ts']],
  ])('%s %j needs the permissions %j', (name, input, needed) => {
    expect(permissionsFor({ name, input })).toEqual(needed);
  });
});

describe('the comparison of permissions with calls', () => {
  const allowed = { 'a/b': ['get', 'put'], 'c/d': ['list'] };
  const whole = { wasWhole: true };

  it('finds no fault if the calls use exactly the permissions', () => {
    const one = { testFile: '1', calls: { 'a/b': ['get'] } };
    const other = { testFile: '2', calls: { 'a/b': ['put', 'get'], 'c/d': ['list'] } };
    expect(permissionFaults(union([one, other]), allowed, whole)).toEqual([]);
  });

  it('finds a missing permission, even if only some tests run', () => {
    const used = { 'a/b': ['get', 'put', 'update'], 'c/d': ['list'], 'e/f': ['get'] };
    for (const wasWhole of [true, false])
      expect(permissionFaults(used, allowed, { wasWhole })).toEqual([
        'a/b may not, but does: update',
        'e/f may not, but does: get',
      ]);
  });

  it('finds an unused permission, but only if all tests run', () => {
    const used = { 'a/b': ['get'] };
    const unused = ['a/b may, but never does: put', 'c/d may, but never does: list'];
    expect(permissionFaults(used, allowed, whole)).toEqual(unused);
    expect(permissionFaults(used, allowed, { wasWhole: false })).toEqual([]);
  });
});
