import { createHash } from 'node:crypto';
import { isViesError, type Question, type RegisterBehaviour } from './register-behaviours.ts';

export interface Answer {
  status: number;
  body: string;
}

interface How {
  behaviour: RegisterBehaviour;
  name: string;
}

const json = (body: object, status = 200): Answer => ({ status, body: JSON.stringify(body) });

/** A consultation number, computed from the question. */
const consultationOf = ({ id, requester }: Question): string =>
  `WAPI${createHash('sha256').update(`${id} ${requester}`).digest('base64url').slice(0, 12)}`;

const otherNumber = '123456789';

export function viesAnswer(question: Question, { behaviour, name }: How): Answer {
  if (isViesError(behaviour) && !(behaviour === 'INVALID_REQUESTER_INFO' && question.requester === undefined))
    return json({ actionSucceed: false, errorWrappers: [{ error: behaviour }] });
  const valid = behaviour !== 'invalid';
  return json({
    countryCode: question.id.slice(0, 2),
    vatNumber: behaviour === 'another number' ? otherNumber : question.id.slice(2),
    requestDate: '2026-11-22T00:00:00.000Z',
    valid,
    requestIdentifier: question.requester ? consultationOf(question) : '',
    name: valid ? name : '---',
    address: valid && name !== '---' ? '1 Example Street\n10115 Example' : '---',
    traderName: '---',
    traderNameMatch: 'NOT_PROCESSED',
  });
}

/** The answer for a failure. Apart from VIES, the registers have no such error codes, so they just fail. */
const broken = json({}, 503);

export function brregAnswer(id: string, { behaviour, name }: How): Answer {
  if (isViesError(behaviour)) return broken;
  if (behaviour === 'invalid') return json({ status: 404 }, 404);
  return json({
    organisasjonsnummer: behaviour === 'another number' ? otherNumber : id,
    navn: name,
    registrertIMvaregisteret: true,
    forretningsadresse: { adresse: ['Eksempelveien 1'], postnummer: '0150', poststed: 'OSLO', land: 'Norge' },
  });
}

export function hmrcAnswer(question: Question, { behaviour, name }: How): Answer {
  if (isViesError(behaviour)) return broken;
  if (behaviour === 'invalid') return json({ code: 'NOT_FOUND', message: 'targetVrn does not match' }, 404);
  const { id, requester } = question;
  return json({
    target: {
      name,
      vatNumber: behaviour === 'another number' ? otherNumber : id,
      address: { line1: '1 Example Road', postcode: 'SW1A 1AA', countryCode: 'GB' },
    },
    ...(requester && { requester, consultationNumber: consultationOf(question) }),
    processingDate: '2026-11-22T00:00:00+00:00',
  });
}

export function abnAnswer(id: string, { behaviour, name }: How, isKnown: boolean): Answer {
  if (isViesError(behaviour)) return broken;
  const nothing = { Abn: '', AbnStatus: '', Gst: '', EntityName: '', AddressState: '', AddressPostcode: '' };
  const said = (fields: object) => ({ status: 200, body: `callback(${JSON.stringify(fields)})` });
  if (!isKnown) return said({ ...nothing, Message: 'The GUID entered is not recognised as a Registered Party' });
  return said({
    ...nothing,
    Abn: behaviour === 'another number' ? otherNumber : id,
    AbnStatus: 'Active',
    Gst: behaviour === 'invalid' ? '' : '2000-07-01',
    EntityName: name,
    AddressState: 'NSW',
    AddressPostcode: '2000',
    Message: '',
  });
}
