// Mantine's styles of fields in which several are chosen, for pages that do not load all of them.
// The order matters to Mantine.
import './choices.ts';
import '@mantine/core/styles/Pill.css';
import '@mantine/core/styles/PillsInput.css';
