/** Every member of an error body, in the order in which it is sent. */
export const problemMembers = [
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'code',
  'message',
  'param',
  'errors',
  'request_id',
];
