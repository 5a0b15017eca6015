package dev.tenure.checks.samples.netty;

import io.netty.buffer.ByteBuf;

record UsesNetty(ByteBuf buffer) {}
