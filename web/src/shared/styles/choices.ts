// Mantine's styles of fields in which one of a list is chosen, for pages that do not load all of them.
import '@mantine/core/styles/Combobox.css';
