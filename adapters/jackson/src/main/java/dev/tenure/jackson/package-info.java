/// JSON bodies by Jackson.
package dev.tenure.jackson;
