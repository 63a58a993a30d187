import type { Cover } from './cover.ts';

/** The picture of the guide: a round bird in front of the sun, above hills. */
export const guideCover: Cover = {
  palette: [
    [244, 233, 211],
    [233, 161, 59],
    [63, 109, 99],
    [38, 75, 72],
    [185, 72, 53],
    [250, 247, 240],
    [32, 35, 42],
  ],
  circles: [
    { x: 68, y: 32, radius: 20, colour: 1 },
    { x: 20, y: 130, radius: 62, colour: 2 },
    { x: 85, y: 142, radius: 64, colour: 3 },
    { x: 42, y: 55, radius: 21, colour: 4 },
    { x: 36, y: 62, radius: 12, colour: 5 },
    { x: 57, y: 38, radius: 11, colour: 4 },
    { x: 69, y: 40, radius: 3, colour: 1 },
    { x: 60, y: 36, radius: 2, colour: 6 },
  ],
};

/** The picture of the product for supporters: rings like those of a tree, with a leaf. */
export const supportCover: Cover = {
  palette: [
    [223, 236, 228],
    [121, 84, 59],
    [214, 178, 134],
    [164, 120, 82],
    [74, 140, 92],
  ],
  circles: [
    { x: 46, y: 54, radius: 36, colour: 1 },
    { x: 46, y: 54, radius: 32, colour: 2 },
    { x: 47, y: 55, radius: 25, colour: 3 },
    { x: 47, y: 55, radius: 22, colour: 2 },
    { x: 48, y: 56, radius: 15, colour: 3 },
    { x: 48, y: 56, radius: 12, colour: 2 },
    { x: 49, y: 57, radius: 4, colour: 1 },
    { x: 77, y: 24, radius: 14, colour: 4 },
    { x: 66, y: 33, radius: 7, colour: 4 },
  ],
};

/** The picture of the product about calls: sound waves that spread from one point in the night. */
export const callsCover: Cover = {
  palette: [
    [29, 36, 64],
    [45, 60, 107],
    [75, 101, 160],
    [130, 160, 208],
    [246, 214, 120],
  ],
  circles: [
    { x: 26, y: 74, radius: 66, colour: 1 },
    { x: 26, y: 74, radius: 58, colour: 0 },
    { x: 26, y: 74, radius: 50, colour: 2 },
    { x: 26, y: 74, radius: 42, colour: 0 },
    { x: 26, y: 74, radius: 34, colour: 3 },
    { x: 26, y: 74, radius: 26, colour: 0 },
    { x: 26, y: 74, radius: 13, colour: 4 },
    { x: 80, y: 16, radius: 7, colour: 4 },
    { x: 83, y: 14, radius: 6, colour: 0 },
  ],
};
