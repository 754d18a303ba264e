import { DEFAULT_THEME, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

// Where Mantine's own colours are too pale for small text on their ground (WCAG 2.2 AA asks for 4.5 : 1).

/** The darkest shade is the ground of white text on buttons and badges. */
export const darkerColors = {
  green: withDarkest(DEFAULT_THEME.colors.green, '#21702f'),
  orange: withDarkest(DEFAULT_THEME.colors.orange, '#b93c08'),
};

function withDarkest(shades: MantineColorsTuple, darkest: string): MantineColorsTuple {
  const [a, b, c, d, e, f, g, h, i] = shades;
  return [a, b, c, d, e, f, g, h, i, darkest];
}

/** Dimmed text, and the text of errors. */
export const contrastVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
