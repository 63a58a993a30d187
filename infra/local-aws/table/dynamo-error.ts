/** A refusal with DynamoDB's name for it, such as `ResourceInUseException`. */
export class DynamoError extends Error {
  /** Further members of the response. */
  readonly details: object;

  constructor(name: string, message: string, details: object = {}) {
    super(message);
    this.name = name;
    this.details = details;
  }
}

/** The request itself is wrong: no row could make it right. */
export const invalid = (message: string): DynamoError => new DynamoError('ValidationException', message);

/** A member of the request has another JSON type than the protocol gives it. */
export const malformed = (message: string): DynamoError => new DynamoError('SerializationException', message);
