import { createTheme, Drawer, Modal } from '@mantine/core';

/** What all dialogs of the console have in common. */
export const consoleTheme = createTheme({
  components: {
    Drawer: Drawer.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
  },
});
