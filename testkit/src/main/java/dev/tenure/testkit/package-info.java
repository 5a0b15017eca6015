/// Fault sweeps, ledger, fake clock, trail and leak check for tests.
package dev.tenure.testkit;
