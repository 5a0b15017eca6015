/// Routes, exchanges, bodies and streams over Netty.
package dev.tenure.http;
