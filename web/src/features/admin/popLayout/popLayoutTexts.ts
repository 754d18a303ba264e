import popLayout from '../../../locales/en/popLayout.json';
import softphone from '../../../locales/en/softphone.json';

/** The page's own, and those of the softphone's card, which the preview is. */
export const popLayoutTexts = { popLayout, softphone };
