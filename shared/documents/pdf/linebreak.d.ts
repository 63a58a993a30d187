/** Types for the part of linebreak that we use. The package has none. */
declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string);
    /** The position where the next line may begin; null at the end. */
    nextBreak(): { position: number; required: boolean } | null;
  }

  export = LineBreaker;
}
