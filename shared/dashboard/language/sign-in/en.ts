/** The texts of pages without a session, and of refusals. The other languages have the same keys and placeholders. */
export const signInEn = {
  title: 'Sign in',
  oneClick: 'Sign in to this sandbox',
  'oneClick.hint': 'One click is enough on your own machine. No deployed stack has this button.',
  email: 'E-mail address',
  'email.hint': 'For members. The link works once, within 15 minutes, in this browser.',
  'email.button': 'Mail me a link',
  'email.or': 'Sign in with an API key',
  key: 'API key',
  'key.sandbox': 'A key of this sandbox begins with sk_test_.',
  'key.live': 'A key of this stack begins with sk_live_.',
  'key.rights':
    'Your key decides what you can do here. Keys, webhook secrets and addresses, and tax rules need a key with admin access.',
  'key.none': 'No key yet? The operator of this stack creates the first one with {command}.',
  'key.former': 'A write key of version 0.1 can no longer manage keys, webhooks and tax.',
  'key.missing': 'Enter an API key.',
  'key.refused': 'This key is unknown, revoked or expired, or belongs to another stack.',
  'sent.title': 'Look into your mailbox',
  'sent.text':
    'If this address belongs to a member, a link is on its way. It works once, within 15 minutes, and only in this browser.',
  'sent.again':
    'Nothing there? Check the spelling and the spam folder, then ask again. Five links an hour are sent to an address, and five more to a browser in which its member has signed in.',
  back: 'Back',
  'confirm.title': 'Sign in',
  'confirm.text': 'Press the button to sign in to the dashboard. The link is used up only then.',
  'over.title': 'This link is over',
  'over.text': 'A link works once, within 15 minutes. If you have just signed in with it, go on.',
  'over.link': 'Go on',
  'elsewhere.title': 'Another browser asked for this link',
  'elsewhere.text':
    'Open it in the browser in which you asked for it, or ask for a new link here. If you did not ask for one, you need to do nothing.',
  'elsewhere.link': 'Ask for a link here',
  'throttled.title': 'Too many links',
  'throttled.text': 'Too many links were asked for from here. Try again in an hour, or sign in with a key.',
  home: 'To the overview',
  'refused.title': 'Not allowed',
  'refused.text':
    'Your key or your role does not allow this, or the form belongs to another session. Keys, webhook secrets and addresses, and tax rules need a key with admin access; {command} makes the first one.',
  'missing.title': 'Page not found',
  'missing.text': 'Check the address, or go to the overview.',
  'large.title': 'Too large',
  'large.text': 'An image can have at most 3 MB. Go back and choose a smaller one.',
  'failed.title': 'That did not work',
  'failed.text': 'Nothing was changed. Go back, check the form, and try again.',
  'defect.title': 'Something went wrong',
  'defect.text': 'Try again, or report the request id {id}.',
  'ended.title': 'You are signed out',
  'ended.text': 'Your session has ended, or its key was revoked. Nothing was changed.',
} as const;

export type SignInKey = keyof typeof signInEn;
