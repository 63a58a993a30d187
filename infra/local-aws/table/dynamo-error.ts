/** An error with DynamoDB's name for it, such as `ResourceInUseException`. */
export class DynamoError extends Error {
  /** Additional members of the response. */
  readonly details: object;

  constructor(name: string, message: string, details: object = {}) {
    super(message);
    this.name = name;
    this.details = details;
  }
}

/** The request itself is invalid, regardless of the row. */
export const invalid = (message: string): DynamoError => new DynamoError('ValidationException', message);

/** A member of the request has the wrong JSON type. */
export const malformed = (message: string): DynamoError => new DynamoError('SerializationException', message);
