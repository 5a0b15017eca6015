/// The hook of the test kit into the core; not for applications.
package dev.tenure.core.spi;
