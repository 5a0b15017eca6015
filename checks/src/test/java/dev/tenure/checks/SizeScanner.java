package dev.tenure.checks;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.DoWhileLoopTree;
import com.sun.source.tree.EnhancedForLoopTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.ForLoopTree;
import com.sun.source.tree.IfTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SwitchExpressionTree;
import com.sun.source.tree.SwitchTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.tree.Tree.Kind;
import com.sun.source.tree.TryTree;
import com.sun.source.tree.WhileLoopTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.lang.model.element.Modifier;
import org.jspecify.annotations.Nullable;

/// Walks parsed files; the scan's argument is the nesting depth of the statement at hand.
///
/// A lambda keeps the depth of its place, a method of an inner class starts anew, `else if` adds nothing.
/// A record's constructor may have as many parameters as the record has components.
final class SizeScanner extends TreeScanner<@Nullable Void, Integer> {

    static final int METHOD_LINES_MAX = 60;
    static final int PARAMETERS_MAX = 4;
    static final int NESTING_MAX = 3;

    private final Tree tree;
    private final SourcePositions positions;
    private final List<Finding> findings = new ArrayList<>();
    private final Map<String, Integer> publicTypes = new HashMap<>();
    private final Set<String> forFriends = new HashSet<>();
    private @Nullable CompilationUnitTree unit;
    private String file = "";
    private boolean inRecord;
    private int deepest;

    SizeScanner(Tree tree, SourcePositions positions) {
        this.tree = tree;
        this.positions = positions;
    }

    List<Finding> findings() {
        return List.copyOf(findings);
    }

    /// Public top-level types in packages that are neither internal nor exported to friends alone.
    int publicTypes() {
        return publicTypes.entrySet().stream()
                .filter(entry -> !entry.getKey().contains(".internal") && !forFriends.contains(entry.getKey()))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    @Override
    public @Nullable Void visitExports(ExportsTree exports, Integer depth) {
        if (exports.getModuleNames() != null) {
            forFriends.add(exports.getPackageName().toString());
        }
        return null;
    }

    @Override
    public @Nullable Void visitCompilationUnit(CompilationUnitTree unit, Integer depth) {
        this.unit = unit;
        file = tree.show(Path.of(unit.getSourceFile().toUri()));
        var types = unit.getTypeDecls().stream().filter(SizeScanner::isPublicType);
        publicTypes.merge(String.valueOf(unit.getPackageName()), (int) types.count(), Integer::sum);
        return super.visitCompilationUnit(unit, depth);
    }

    private static boolean isPublicType(com.sun.source.tree.Tree declared) {
        return declared instanceof ClassTree type
                && type.getModifiers().getFlags().contains(Modifier.PUBLIC);
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, Integer depth) {
        var outer = inRecord;
        inRecord = type.getKind() == Kind.RECORD;
        super.visitClass(type, depth);
        inRecord = outer;
        return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, Integer depth) {
        var outer = deepest;
        deepest = 0;
        super.visitMethod(method, 0);
        var where = file + "#" + method.getName();
        limit("method-lines", where, linesOf(method), METHOD_LINES_MAX);
        if (!(inRecord && method.getReturnType() == null)) {
            limit("parameters", where, method.getParameters().size(), PARAMETERS_MAX);
        }
        limit("nesting", where, deepest, NESTING_MAX);
        deepest = outer;
        return null;
    }

    private int linesOf(MethodTree method) {
        var current = Objects.requireNonNull(unit, "a method stands in a file");
        var lines = current.getLineMap();
        var first = lines.getLineNumber(positions.getStartPosition(current, method));
        var last = lines.getLineNumber(positions.getEndPosition(current, method));
        return (int) (last - first) + 1;
    }

    private void limit(String rule, String where, int actual, int max) {
        if (actual > max) {
            findings.add(Sizes.over(rule, where, actual, max));
        }
    }

    private Integer deeper(Integer depth) {
        deepest = Math.max(deepest, depth + 1);
        return depth + 1;
    }

    @Override
    public @Nullable Void visitIf(IfTree tree, Integer depth) {
        var inside = deeper(depth);
        scan(tree.getCondition(), depth);
        scan(tree.getThenStatement(), inside);
        var otherwise = tree.getElseStatement();
        return otherwise == null ? null : scan(otherwise, otherwise instanceof IfTree ? depth : inside);
    }

    @Override
    public @Nullable Void visitForLoop(ForLoopTree tree, Integer depth) {
        return super.visitForLoop(tree, deeper(depth));
    }

    @Override
    public @Nullable Void visitEnhancedForLoop(EnhancedForLoopTree tree, Integer depth) {
        return super.visitEnhancedForLoop(tree, deeper(depth));
    }

    @Override
    public @Nullable Void visitWhileLoop(WhileLoopTree tree, Integer depth) {
        return super.visitWhileLoop(tree, deeper(depth));
    }

    @Override
    public @Nullable Void visitDoWhileLoop(DoWhileLoopTree tree, Integer depth) {
        return super.visitDoWhileLoop(tree, deeper(depth));
    }

    @Override
    public @Nullable Void visitSwitch(SwitchTree tree, Integer depth) {
        return super.visitSwitch(tree, deeper(depth));
    }

    @Override
    public @Nullable Void visitSwitchExpression(SwitchExpressionTree tree, Integer depth) {
        return super.visitSwitchExpression(tree, deeper(depth));
    }

    @Override
    public @Nullable Void visitTry(TryTree tree, Integer depth) {
        return super.visitTry(tree, deeper(depth));
    }

    @Override
    public @Nullable Void visitSynchronized(SynchronizedTree tree, Integer depth) {
        return super.visitSynchronized(tree, deeper(depth));
    }
}
