import { createTheme, type CSSVariablesResolver, DEFAULT_THEME, type MantineColorsTuple } from '@mantine/core';

// Where Mantine's own colours are too pale for small text on their ground (WCAG 2.2 AA asks for 4.5 : 1).

/** The darkest shade is the ground of white text on buttons and badges. */
const darkerColors = {
  green: withDarkest(DEFAULT_THEME.colors.green, '#21702f'),
  orange: withDarkest(DEFAULT_THEME.colors.orange, '#b93c08'),
};

function withDarkest(shades: MantineColorsTuple, darkest: string): MantineColorsTuple {
  const [a, b, c, d, e, f, g, h, i] = shades;
  return [a, b, c, d, e, f, g, h, i, darkest];
}

/** The ground of white text while the pointer is over it: darker, never paler. */
const hovered = {
  '--mantine-primary-color-filled-hover': '#095f6f',
  '--mantine-color-cyan-filled-hover': '#095f6f',
  '--mantine-color-green-filled-hover': '#1a5a26',
  '--mantine-color-orange-filled-hover': '#9a3206',
  '--mantine-color-red-filled-hover': '#a82323',
  '--mantine-color-blue-filled-hover': '#145391',
  '--mantine-color-violet-filled-hover': '#4f33a3',
};

/** Text on a ground of its own colour, on which the pointer may be. */
const onLight = {
  '--mantine-color-red-light-color': '#a82323',
  '--mantine-color-orange-light-color': '#9a3206',
  '--mantine-color-blue-light-color': '#145391',
  '--mantine-color-violet-light-color': '#4f33a3',
};

/** Dimmed text, the text of errors, and what is pointed at. */
export const contrastVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...hovered,
    ...onLight,
    '--mantine-primary-color-light-hover': '#b8f2f8',
    '--mantine-color-cyan-light-hover': '#b8f2f8',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
  },
  dark: {
    ...hovered,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});

/** One look for every page: quiet and dense, for people who have it before them for eight hours a day. */
export const theme = createTheme({
  colors: darkerColors,
  primaryColor: 'cyan',
  primaryShade: 9,
  autoContrast: true,
  defaultRadius: 'sm',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  spacing: { xs: '0.375rem', sm: '0.625rem', md: '0.875rem', lg: '1.125rem', xl: '1.5rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.25rem' }, h2: { fontSize: '1.0625rem' }, h3: { fontSize: '0.9375rem' } },
  },
  cursorType: 'pointer',
  // An element without a role of its own between a menu and its items; the first of them takes the focus instead.
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
  respectReducedMotion: true,
});
